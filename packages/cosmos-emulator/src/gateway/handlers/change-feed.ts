/** The change feed (docs/reference/cosmos-protocol.md §1.10). */
import type { ChangeFeedRequest } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { type Answer, emptyAnswer } from "../answers/answer.ts";
import { feedAnswer } from "../answers/feed-answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { positionHeaders } from "../headers/container-headers.ts";
import { HEADER, textHeader } from "../headers/headers.ts";
import type { GatewayRequest } from "../requests/request.ts";
import { feedScope, pageOfRequest, touchedRanges } from "../requests/requested-scope.ts";
import { answeringReplica } from "../staleness.ts";

export function readChangeFeed(context: RequestContext): Answer {
  const { request } = context;
  refuseOtherModes(request);
  const container = containerOf(context);
  const scope = feedScope(request);
  answeringReplica(context, container, touchedRanges(container, scope));
  const { maxItems } = pageOfRequest(request);
  const page = container.changeFeed({
    ...scope,
    ...(maxItems === undefined ? {} : { maxItems }),
    ...startOf(request),
  });
  const headers = { ...positionHeaders(container, page), etag: page.etag };
  // Readers stop at, or wait after, an answer without news; an empty list would make them spin.
  if (page.rows.length === 0) return emptyAnswer(304, page.charge, headers);
  return feedAnswer({ name: "Documents", rid: container.rid, rows: page.rows, charge: page.charge }, headers);
}

function refuseOtherModes({ headers }: GatewayRequest): void {
  const mode = textHeader(headers, HEADER.changeFeed)?.trim().toLowerCase();
  if (mode === "incremental feed") return;
  throw CosmosError.badRequest(
    mode === "full-fidelity feed"
      ? "All versions and deletes of the change feed need continuous backup, which this endpoint does not have: read it in latest-version mode (A-IM: Incremental Feed)."
      : "The header A-IM of a change feed is: Incremental Feed.",
  );
}

function startOf({ headers }: GatewayRequest): Pick<ChangeFeedRequest, "ifNoneMatch" | "modifiedSince"> {
  const ifNoneMatch = textHeader(headers, "if-none-match");
  if (ifNoneMatch !== undefined) return { ifNoneMatch };
  const since = textHeader(headers, "if-modified-since");
  if (since === undefined) return {};
  const sinceMs = Date.parse(since);
  if (Number.isNaN(sinceMs)) {
    throw CosmosError.badRequest(
      `The header If-Modified-Since is ${JSON.stringify(since)}: send a date of RFC 1123.`,
    );
  }
  return { modifiedSince: Math.floor(sinceMs / 1000) };
}
