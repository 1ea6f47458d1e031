/** Transactional batches and bulk requests (docs/reference/cosmos-protocol.md §1.6, §1.7). */
import {
  type BatchMode,
  type BatchOperationResult,
  type BulkOperation,
  type Container,
  REFUSED_CHARGE,
} from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { type Answer, textAnswer } from "../answers/answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import type { RefusedOperation } from "../faults/operation-fault.ts";
import { containerHeaders, rangesHeaders, writtenHeaders } from "../headers/container-headers.ts";
import { flagHeader, HEADER } from "../headers/headers.ts";
import { quotaHeaders } from "../headers/quota-headers.ts";
import { parseBatchBody } from "../requests/batch-body.ts";
import type { GatewayRequest } from "../requests/request.ts";
import { partitionKeyOfRequest } from "../requests/requested-scope.ts";
import { wantsNoContent } from "./items.ts";

/** Executes operations on one logical partition, which the header names. */
export function answerBatch(context: RequestContext): Answer {
  const { request, treatBatchesAsAtomic, refusedOperation } = context;
  const container = containerOf(context);
  const operations = parseBatchBody(request.body).map(({ operation }) => operation);
  if (refusedOperation !== undefined) return refusedBatch(operations.length, refusedOperation);
  const mode = modeOf(request, treatBatchesAsAtomic);
  const isMinimal = wantsNoContent(request);
  const key = partitionKeyOfRequest(request);
  const batch = container.batch(key, operations, mode, { returnsItems: !isMinimal });
  return batchAnswer(batch.results, isMinimal, {
    ...(batch.substatus === undefined ? {} : { [HEADER.substatus]: String(batch.substatus) }),
    ...(batch.status === 200 && containerHeaders(container)),
    ...writtenHeaders(batch),
    ...quotaHeaders(container),
  });
}

/**
 * Answers a batch that a fault refuses. A sub-status and the advice when to retry stand in the headers of the batch,
 * not with the operation (§1.6).
 */
function refusedBatch(length: number, { index, error }: RefusedOperation): Answer {
  const { status, retryAfterMs } = error;
  const substatus = error.substatus ?? (status === 429 ? THROTTLED : undefined);
  const results = Array.from({ length }, (_, place): BatchOperationResult => {
    return place === index ? { status, charge: REFUSED_CHARGE } : { status: 424, charge: 0 };
  });
  return batchAnswer(results, true, {
    ...(substatus === undefined ? {} : { [HEADER.substatus]: String(substatus) }),
    ...(retryAfterMs === undefined ? {} : { [HEADER.retryAfterMs]: String(retryAfterMs) }),
  });
}

const THROTTLED = 3200;

/** Executes operations, each of which has a key of its own and succeeds or fails alone. */
export function executeBulk(context: RequestContext): Answer {
  const { request } = context;
  const container = containerOf(context);
  const operations = parseBatchBody(request.body).map(({ operation, partitionKey }, index) => {
    if (partitionKey === undefined) throw keyMissing(index);
    return { operation, partitionKey };
  });
  const results =
    modeOf(request, false) === "continue" ? container.bulk(operations) : untilFailure(container, operations);
  return batchAnswer(
    results,
    wantsNoContent(request),
    rangesHeaders(container, container.partitionKeyRanges()),
  );
}

function untilFailure(container: Container, operations: readonly BulkOperation[]): BatchOperationResult[] {
  let hasFailed = false;
  return operations.map((operation) => {
    const [result] = hasFailed ? [] : container.bulk([operation]);
    hasFailed ||= result === undefined || result.status >= 400;
    return result ?? { status: 424, charge: 0 };
  });
}

/**
 * Reads the mode. Both headers are read literally: a batch that is not declared atomic is not atomic (§0 rule 10).
 */
function modeOf({ headers }: GatewayRequest, treatAsAtomic: boolean): BatchMode {
  const atomic = flagHeader(headers, HEADER.batchAtomic);
  if (atomic === true || (atomic === undefined && treatAsAtomic)) return "atomic";
  return flagHeader(headers, HEADER.batchContinueOnError) === true ? "continue" : "stop-at-failure";
}

function batchAnswer(
  results: readonly BatchOperationResult[],
  isMinimal: boolean,
  headers: Readonly<Record<string, string>>,
): Answer {
  const status = results.every((result) => result.status < 400) ? 200 : 207;
  const charge = results.reduce((sum, result) => sum + result.charge, 0);
  const body = `[${results.map((result) => entryText(result, isMinimal)).join(",")}]`;
  return textAnswer(status, body, charge, { [HEADER.itemCount]: String(results.length), ...headers });
}

/** Writes an entry as text, because bodies are JSON texts already. */
function entryText({ status, charge, etag, body }: BatchOperationResult, isMinimal: boolean): string {
  const tag = etag === undefined ? "" : `,"eTag":${JSON.stringify(etag)}`;
  const resource = body === undefined || isMinimal ? "" : `,"resourceBody":${body}`;
  return `{"statusCode":${status},"requestCharge":${Math.round(charge * 100) / 100}${tag}${resource}}`;
}

function keyMissing(index: number): CosmosError {
  return CosmosError.badRequest(
    `Operation ${index} of the batch has no partition key: send the header ${HEADER.partitionKey} for all, or "partitionKey" in each.`,
    { substatus: 1001 },
  );
}
