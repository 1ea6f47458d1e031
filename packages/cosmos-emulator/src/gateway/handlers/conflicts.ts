/** Conflicts arise between write regions, and this endpoint has one: the feed is empty. */
import { RESOURCE_READ_CHARGE } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { Answer } from "../answers/answer.ts";
import { feedAnswer } from "../answers/feed-answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { containerHeaders } from "../headers/container-headers.ts";

export function listConflicts(context: RequestContext): Answer {
  const container = containerOf(context);
  const feed = { name: "Conflicts", rid: container.rid, rows: [], charge: RESOURCE_READ_CHARGE };
  return feedAnswer(feed, containerHeaders(container));
}

export function missingConflict(context: RequestContext): Answer {
  containerOf(context);
  throw CosmosError.notFound(
    `There is no conflict ${JSON.stringify(context.address.id)}: one write region has none.`,
  );
}
