/** Headers with the metrics of a query, for requests that ask for them (docs/reference/cosmos-protocol.md §1.12). */
import type { FeedPage } from "../../engine/index.ts";
import { pathsOf, type Query } from "../../sql/index.ts";
import { flagHeader, HEADER, MAX_HEADER_LENGTH } from "../headers/headers.ts";
import type { GatewayRequest } from "./request.ts";

/**
 * Makes the header of metrics. One duration is measured and stands for the whole; the parts that the service
 * distinguishes are not known here.
 */
export function metricsHeaders(
  { headers }: GatewayRequest,
  page: FeedPage,
  durationMs: number,
): Record<string, string> {
  if (flagHeader(headers, HEADER.wantQueryMetrics) !== true) return {};
  const bytes = page.rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0);
  const metrics = {
    totalExecutionTimeInMs: durationMs.toFixed(2),
    queryCompileTimeInMs: "0.00",
    queryLogicalPlanBuildTimeInMs: "0.00",
    queryPhysicalPlanBuildTimeInMs: "0.00",
    queryOptimizationTimeInMs: "0.00",
    VMExecutionTimeInMs: durationMs.toFixed(2),
    indexLookupTimeInMs: "0.00",
    documentLoadTimeInMs: "0.00",
    systemFunctionExecuteTimeInMs: "0.00",
    userFunctionExecuteTimeInMs: "0.00",
    retrievedDocumentCount: page.rows.length,
    retrievedDocumentSize: bytes,
    outputDocumentCount: page.rows.length,
    outputDocumentSize: bytes,
    writeOutputTimeInMs: "0.00",
    indexUtilizationRatio: "1.00",
  };
  const text = Object.entries(metrics).map(([name, value]) => `${name}=${value}`);
  return { [HEADER.queryMetrics]: text.join(";") };
}

/**
 * Makes the header of the single-path indexes that serve the filter and the order, as percent-encoded JSON; left out
 * where it is too long.
 */
export function indexHeaders({ headers }: GatewayRequest, query: Query): Record<string, string> {
  if (flagHeader(headers, HEADER.indexMetrics) !== true) return {};
  const { filter, orderBy } = pathsOf(query);
  const paths = [...new Set([...filter, ...orderBy.map(({ path }) => path)])];
  const utilized = { SingleIndexes: paths.map((path) => ({ IndexSpec: `${path}/?` })), CompositeIndexes: [] };
  const potential = { SingleIndexes: [], CompositeIndexes: [] };
  const utilization = { UtilizedIndexes: utilized, PotentialIndexes: potential };
  const text = encodeURIComponent(JSON.stringify(utilization).toWellFormed());
  return text.length > MAX_HEADER_LENGTH ? {} : { [HEADER.indexUtilization]: text };
}
