/** Classifies a refused operation of a batch: an outcome for the caller, or a failure. */
import type { OperationResponse } from "@azure/cosmos";
import type { BatchOperation } from "./batch.ts";

const FAILED_DEPENDENCY = 424;

/** The operation that failed a batch. */
export interface FailedOperation {
  readonly index: number;
  readonly status: number;
}

/** The other operations report 424 (hazard W7). */
export function failedOperationOf(results: readonly OperationResponse[]): FailedOperation | undefined {
  const index = results.findIndex(({ statusCode }) => statusCode >= 400 && statusCode !== FAILED_DEPENDENCY);
  const status = results[index]?.statusCode;
  return status === undefined ? undefined : { index, status };
}

/**
 * Whether a concurrent write caused the refusal: a create gets 409 if its id is taken; a replace, a change or a
 * deletion gets 404 if its document is gone, and 412 if it has changed. Every other refusal is a failure of the
 * request. As an outcome it would tell the caller that another process was faster.
 */
export function isOutcome(operation: BatchOperation, status: number): boolean {
  switch (operation.kind) {
    case "create":
      return status === 409;
    case "upsert":
      return false;
    default:
      return status === 404 || (status === 412 && isConditional(operation));
  }
}

function isConditional(operation: BatchOperation): boolean {
  return ("ifMatch" in operation && operation.ifMatch !== undefined) || "onlyIf" in operation;
}

type AnswerHeaders = Readonly<Record<string, unknown>>;

/** The response to a batch with a refused operation, with the fields of the client library's own errors. */
export class OperationRefused extends Error {
  override readonly name = "OperationRefused";
  readonly code: number;
  readonly substatus: number | undefined;
  readonly retryAfterInMs: number | undefined;
  readonly headers: AnswerHeaders;

  /** Sub-status and advice are in the headers of the whole response (docs/reference/cosmos-protocol.md §1.6). */
  constructor({ index, status }: FailedOperation, headers: AnswerHeaders = {}, what = "operation") {
    super(`${what} ${index + 1} of a batch`);
    this.code = status;
    this.substatus = numberIn(headers, "x-ms-substatus");
    this.retryAfterInMs = numberIn(headers, "x-ms-retry-after-ms");
    this.headers = headers;
  }
}

/** The name of the operation in an error. */
export function nameOf(operation: BatchOperation | undefined): string {
  if (operation === undefined) return "operation";
  const id = "id" in operation ? operation.id : operation.body["id"];
  return `${operation.kind} of document ${JSON.stringify(id)}, operation`;
}

function numberIn(headers: AnswerHeaders, name: string): number | undefined {
  const value = Number.parseFloat(String(headers[name]));
  return Number.isFinite(value) ? value : undefined;
}
