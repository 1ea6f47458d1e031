/**
 * Queries on items, and their plans (docs/reference/cosmos-protocol.md §1.8). The service's gateway answers a query
 * over several partitions only where their answers need no merging; everything else it sends back with a plan, by
 * which the client asks each partition. So does this endpoint, unless it is lenient.
 */
import type { Container, QueryRequest } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { effectivePartitionKey } from "../../protocol/effective-partition-key.ts";
import type { JsonValue } from "../../protocol/json.ts";
import type { PartitionKey } from "../../protocol/partition-key.ts";
import { needsPlan, planQuery, type Query, type QueryPlan, queryRanges } from "../../sql/index.ts";
import { type Answer, jsonAnswer } from "../answers/answer.ts";
import { feedAnswer } from "../answers/feed-answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import type { ScopedPage } from "../cross-partition.ts";
import { queryPartitionsInTurn } from "../cross-partition.ts";
import { containerHeaders, rangesHeaders } from "../headers/container-headers.ts";
import { flagHeader, HEADER } from "../headers/headers.ts";
import { checkPlanFeatures } from "../requests/plan-features.ts";
import { parseQueryBody, type QueryBody } from "../requests/query-body.ts";
import { indexHeaders, metricsHeaders } from "../requests/query-headers.ts";
import type { GatewayRequest } from "../requests/request.ts";
import {
  emptiedBy,
  feedScope,
  isWholeContainer,
  pageOfRequest,
  touchedRanges,
} from "../requests/requested-scope.ts";
import { answeringReplica } from "../staleness.ts";

/** A query, and the container that it is asked of. */
interface AskedQuery {
  readonly context: RequestContext;
  readonly container: Container;
  readonly body: QueryBody;
  readonly tree: Query;
}

export function answerItemQuery(context: RequestContext): Answer {
  const { request, monotonicMs } = context;
  const asked = askedQuery(context);
  const startedMs = monotonicMs();
  const { page: found, ranges } = answer(asked);
  const page = emptiedBy(found, request, context.mostItems);
  const durationMs = monotonicMs() - startedMs;
  const { container, tree } = asked;
  return feedAnswer(
    { name: "Documents", rid: container.rid, ...page },
    {
      ...rangesHeaders(container, ranges),
      ...metricsHeaders(request, page, durationMs),
      ...indexHeaders(request, tree),
    },
  );
}

/** Answers the plan alone, for clients that ask for it beforehand. */
export function planOfQuery(context: RequestContext): Answer {
  const asked = askedQuery(context);
  const plan = planFor(asked);
  checkPlanFeatures(context.request, plan);
  return jsonAnswer(200, plan as unknown as JsonValue, 1, containerHeaders(asked.container));
}

function askedQuery(context: RequestContext): AskedQuery {
  const container = containerOf(context);
  const body = parseQueryBody(context.request);
  return { context, container, body, tree: context.engine.parsedQuery(body.query) };
}

function answer(asked: AskedQuery): ScopedPage {
  const { context, container, body } = asked;
  const query = {
    ...body,
    ...feedScope(context.request),
    ...pageOfRequest(context.request, context.mostItems),
  };
  if (!isWholeContainer(query) || context.lenient || concernsOneKey(asked)) return runQuery(asked, query);
  requireCrossPartition(context.request);
  refuseWhatNeedsPlan(asked);
  if (container.partitionKeyRanges().length === 1) return runQuery(asked, query);
  return queryPartitionsInTurn(container, query, (part) => runQuery(asked, part));
}

function runQuery({ context, container }: AskedQuery, query: QueryRequest): ScopedPage {
  const { writesBehind, ranges } = answeringReplica(context, container, touchedRanges(container, query));
  return { page: container.query({ ...query, writesBehind }), ranges };
}

/**
 * Tells whether a query is about one key. A filter on the whole partition key leads to one partition, whether or not
 * a header names it too.
 */
function concernsOneKey({ tree, body, container }: AskedQuery): boolean {
  const [first, ...others] = queryRanges(tree, body.parameters, container.partitionKey, hashOf(container));
  return first !== undefined && others.length === 0 && first.min === first.max;
}

function requireCrossPartition({ headers }: GatewayRequest): void {
  if (flagHeader(headers, HEADER.enableCrossPartition) === true) return;
  throw CosmosError.badRequest(
    `Cross partition query is required but disabled. Set ${HEADER.enableCrossPartition} to true, or name a partition in ${HEADER.partitionKey}.`,
  );
}

/** Refuses queries that need a plan. SDKs recognize the first refusal by its words, the second by its plan. */
function refuseWhatNeedsPlan(asked: AskedQuery): void {
  const reason = needsPlan(asked.tree);
  if (reason === undefined) return;
  if (reason === "value-aggregates-only") {
    throw CosmosError.badRequest(
      "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates.",
    );
  }
  throw CosmosError.badRequest(
    "The provided cross partition query can not be directly served by the gateway: a client runs it by its plan, partition by partition.",
    { substatus: 1004, additionalErrorInfo: JSON.stringify(planFor(asked)) },
  );
}

function planFor({ tree, body, container }: AskedQuery): QueryPlan {
  return planQuery(tree, body.parameters, container.partitionKey, hashOf(container));
}

function hashOf(container: Container): (key: PartitionKey) => string {
  return (key) => effectivePartitionKey(key, container.partitionKey);
}
