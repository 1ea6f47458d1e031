/** Users have permissions by resource tokens, which this endpoint does not take: their feed is there, and empty. */
import { RESOURCE_READ_CHARGE } from "../../engine/index.ts";
import type { Answer } from "../answers/answer.ts";
import { feedAnswer } from "../answers/feed-answer.ts";
import type { RequestContext } from "../context.ts";

export function listUsers({ engine, address }: RequestContext): Answer {
  const { rid } = engine.readDatabase(address.database);
  return feedAnswer({ name: "Users", rid, rows: [], charge: RESOURCE_READ_CHARGE });
}
