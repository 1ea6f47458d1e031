/** Queries over databases, containers, offers and scripts, such as SDKs send to find one by its name. */
import type { FeedPage, QueryPageRequest } from "../engine/index.ts";
import type { Answer } from "./answer.ts";
import { feedAnswer } from "./feed-answer.ts";
import { pageOfRequest } from "./feed-scope.ts";
import { parseQueryBody } from "./query-body.ts";
import type { GatewayRequest } from "./request.ts";

export function resourceQuery(
  request: GatewayRequest,
  name: string,
  rid: string,
  run: (query: QueryPageRequest) => FeedPage,
): Answer {
  const page = run({ ...parseQueryBody(request), ...pageOfRequest(request) });
  return feedAnswer({ name, rid, ...page });
}
