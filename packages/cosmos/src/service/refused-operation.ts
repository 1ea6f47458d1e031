/** What it means that the service refused an operation of a batch: an outcome for the caller, or a failure. */
import type { OperationResponse } from "@azure/cosmos";
import type { BatchOperation } from "./batch.ts";

const FAILED_DEPENDENCY = 424;

/** The operation that spoiled a batch. */
export interface Culprit {
  readonly index: number;
  readonly status: number;
}

/** The others report 424 (hazard W7). */
export function culpritOf(results: readonly OperationResponse[]): Culprit | undefined {
  const index = results.findIndex(({ statusCode }) => statusCode >= 400 && statusCode !== FAILED_DEPENDENCY);
  const status = results[index]?.statusCode;
  return status === undefined ? undefined : { index, status };
}

/**
 * What an operation can be refused with because of what others wrote: a create with 409, as its id is taken; a replace,
 * a change or a deletion with 404, as its document is gone, and with 412, as it has changed. Every other refusal is a
 * failure of the request: were it taken for an outcome, the caller would believe that somebody else was faster.
 */
export function isOutcome(operation: BatchOperation, status: number): boolean {
  switch (operation.kind) {
    case "create":
      return status === 409;
    case "upsert":
      return false;
    default:
      return status === 404 || (status === 412 && operation.ifMatch !== undefined);
  }
}

type AnswerHeaders = Readonly<Record<string, unknown>>;

/** The answer to a batch of which one operation was refused, with the fields of the client library's own errors. */
export class OperationRefused extends Error {
  override readonly name = "OperationRefused";
  readonly code: number;
  readonly substatus: number | undefined;
  readonly retryAfterInMs: number | undefined;
  readonly headers: AnswerHeaders;

  /** Sub-status and advice are in the headers of the whole answer (docs/reference/cosmos-protocol.md §1.6). */
  constructor({ index, status }: Culprit, headers: AnswerHeaders = {}, what = "operation") {
    super(`${what} ${index + 1} of a batch`);
    this.code = status;
    this.substatus = numberIn(headers, "x-ms-substatus");
    this.retryAfterInMs = numberIn(headers, "x-ms-retry-after-ms");
    this.headers = headers;
  }
}

/** As it is named in an error. */
export function nameOf(operation: BatchOperation | undefined): string {
  if (operation === undefined) return "operation";
  const id = "id" in operation ? operation.id : operation.body["id"];
  return `${operation.kind} of document ${JSON.stringify(id)}, operation`;
}

function numberIn(headers: AnswerHeaders, name: string): number | undefined {
  const value = Number.parseFloat(String(headers[name]));
  return Number.isFinite(value) ? value : undefined;
}
