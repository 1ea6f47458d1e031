/** Names of the headers, and how their values are read: in any letter case, refused when they make no sense. */
import type { IncomingHttpHeaders } from "node:http";
import { CosmosError } from "../../protocol/cosmos-error.ts";

/** Names as they go over the wire. Node gives the names of a request's headers in lower case. */
export const HEADER = {
  activityId: "x-ms-activity-id",
  autopilot: "x-ms-cosmos-offer-autopilot-settings",
  batch: "x-ms-cosmos-is-batch-request",
  batchAtomic: "x-ms-cosmos-batch-atomic",
  batchContinueOnError: "x-ms-cosmos-batch-continue-on-error",
  changeFeed: "a-im",
  consistency: "x-ms-consistency-level",
  contentPath: "x-ms-content-path",
  contentPathByName: "x-ms-alt-content-path",
  continuation: "x-ms-continuation",
  date: "x-ms-date",
  enableCrossPartition: "x-ms-documentdb-query-enablecrosspartition",
  endEpk: "x-ms-end-epk",
  indexMetrics: "x-ms-cosmos-populateindexmetrics-v2",
  indexUtilization: "x-ms-cosmos-index-utilization",
  intendedContainer: "x-ms-cosmos-intended-collection-rid",
  itemCount: "x-ms-item-count",
  logScript: "x-ms-documentdb-script-enable-logging",
  lsn: "lsn",
  maxItemCount: "x-ms-max-item-count",
  offerThroughput: "x-ms-offer-throughput",
  partitionKey: "x-ms-documentdb-partitionkey",
  partitionRange: "x-ms-documentdb-partitionkeyrangeid",
  planFeatures: "x-ms-cosmos-supported-query-features",
  postTrigger: "x-ms-documentdb-post-trigger-include",
  preTrigger: "x-ms-documentdb-pre-trigger-include",
  query: "x-ms-documentdb-isquery",
  queryMetrics: "x-ms-documentdb-query-metrics",
  queryPlan: "x-ms-cosmos-is-query-plan-request",
  quota: "x-ms-resource-quota",
  requestCharge: "x-ms-request-charge",
  retryAfterMs: "x-ms-retry-after-ms",
  sessionToken: "x-ms-session-token",
  startEpk: "x-ms-start-epk",
  substatus: "x-ms-substatus",
  upsert: "x-ms-documentdb-is-upsert",
  usage: "x-ms-resource-usage",
  wantQueryMetrics: "x-ms-documentdb-populatequerymetrics",
  wantQuota: "x-ms-documentdb-populatequotainfo",
} as const;

/** Largest length of a value that grows with the request: clients read about 16 KB of headers in all. */
export const MAX_HEADER_LENGTH: number = 8 * 1024;

/**
 * Reads the value of a header as text. Node reads header bytes as Latin-1, but some clients put a partition key there
 * as plain UTF-8, so what is not ASCII is decoded once more.
 */
export function textHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  const text = Array.isArray(value) ? value.join(", ") : value;
  return isAscii(text) ? text : Buffer.from(text, "latin1").toString("utf8");
}

/** Reads a flag. "True" and "true" are one; what is neither true nor false counts as absent, as on the service. */
export function flagHeader(headers: IncomingHttpHeaders, name: string): boolean | undefined {
  const text = textHeader(headers, name)?.trim().toLowerCase();
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}

export function integerHeader(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = textHeader(headers, name)?.trim();
  if (text === undefined || text === "") return undefined;
  if (!/^-?\d{1,9}$/.test(text)) {
    throw CosmosError.badRequest(`The header ${name} is ${JSON.stringify(text)}: send a whole number.`);
  }
  return Number(text);
}

/** Tells whether a text may stand in a header as it is. */
export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
