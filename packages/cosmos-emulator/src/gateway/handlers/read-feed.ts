import type { Answer } from "../answers/answer.ts";
import { feedAnswer } from "../answers/feed-answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { rangesHeaders } from "../headers/container-headers.ts";
import { emptiedBy, feedScope, pageOfRequest, touchedRanges } from "../requests/requested-scope.ts";
import { answeringReplica } from "../staleness.ts";

/** Answers all items of a container, or of the part that the headers name, in the order of their insertion. */
export function listItems(context: RequestContext): Answer {
  const { request, mostItems } = context;
  const container = containerOf(context);
  const scope = feedScope(request);
  const { writesBehind, ranges } = answeringReplica(context, container, touchedRanges(container, scope));
  const found = container.readFeed({ ...scope, ...pageOfRequest(request, mostItems), writesBehind });
  const page = emptiedBy(found, request, mostItems);
  return feedAnswer({ name: "Documents", rid: container.rid, ...page }, rangesHeaders(container, ranges));
}
