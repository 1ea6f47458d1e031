/** Answers about everything that is not an item: databases, containers, scripts, offers. */
import {
  type FeedPage,
  type QueryPageRequest,
  RESOURCE_READ_CHARGE,
  type Resource,
} from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { parseDocument } from "../../protocol/json-text.ts";
import { textHeader } from "../headers/headers.ts";
import { parseQueryBody } from "../requests/query-body.ts";
import { bodyText, type GatewayRequest } from "../requests/request.ts";
import { pageOfRequest } from "../requests/requested-scope.ts";
import { type Answer, emptyAnswer, textAnswer } from "./answer.ts";
import { feedAnswer } from "./feed-answer.ts";

/** No charge of such a change is recorded (assumed). */
export const RESOURCE_WRITE_CHARGE = 4.95;

export function resourceBody(request: GatewayRequest): JsonObject {
  return parseDocument(bodyText(request));
}

export function resourceAnswer(
  status: number,
  { body, etag }: Resource,
  charge: number,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, body, charge, { etag, ...headers });
}

/** Answers a read; 304 where the caller has this version already. */
export function resourceRead(
  request: GatewayRequest,
  resource: Resource,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  if (textHeader(request.headers, "if-none-match") === resource.etag) {
    return emptyAnswer(304, RESOURCE_READ_CHARGE, { etag: resource.etag, ...headers });
  }
  return resourceAnswer(200, resource, RESOURCE_READ_CHARGE, headers);
}

/** Answers a page of a list. The continuation counts how many were answered already. */
export function resourceFeed(
  request: GatewayRequest,
  name: string,
  rid: string,
  resources: readonly Resource[],
): Answer {
  const { maxItems = 0, continuation } = pageOfRequest(request);
  const start = continuation === undefined ? 0 : Number(/^\{"skip":(\d{1,9})\}$/.exec(continuation)?.[1]);
  if (Number.isNaN(start)) {
    throw CosmosError.badRequest(
      "The continuation is malformed: send back the x-ms-continuation of the last page.",
    );
  }
  const end = maxItems > 0 ? start + maxItems : resources.length;
  const feed = {
    name,
    rid,
    rows: resources.slice(start, end).map(({ body }) => body),
    charge: RESOURCE_READ_CHARGE,
  };
  return feedAnswer(end < resources.length ? { ...feed, continuation: `{"skip":${end}}` } : feed);
}

/** Answers a query over databases, containers, offers or scripts, such as SDKs send to find one by its name. */
export function resourceQuery(
  request: GatewayRequest,
  name: string,
  rid: string,
  run: (query: QueryPageRequest) => FeedPage,
): Answer {
  const page = run({ ...parseQueryBody(request), ...pageOfRequest(request) });
  return feedAnswer({ name, rid, ...page });
}
