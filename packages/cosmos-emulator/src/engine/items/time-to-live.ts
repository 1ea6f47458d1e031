/** The expiry of items (docs/reference/cosmos-protocol.md §1.14). */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { isTtl, MAX_TTL_SECONDS } from "../definition/container-definition.ts";
import type { Connection } from "../store/connection.ts";

/**
 * Returns the time at which the item is gone, in milliseconds since the epoch; null if never.
 * @param defaultSeconds The container's; undefined where time to live is off and `ttl` of items means nothing.
 * @param timestamp Seconds since the epoch of the write.
 */
export function expiryOf(
  document: JsonObject,
  defaultSeconds: number | undefined,
  timestamp: number,
): number | null {
  if (defaultSeconds === undefined) return null;
  const { ttl } = document;
  if (ttl !== undefined && !isTtl(ttl)) {
    throw CosmosError.badRequest(
      `The input ttl ${JSON.stringify(ttl)} is invalid. Give -1 or a whole number of seconds from 1 to ${MAX_TTL_SECONDS}.`,
    );
  }
  const seconds = ttl ?? defaultSeconds;
  return seconds === -1 ? null : (timestamp + seconds) * 1000;
}

export function isExpired(row: { readonly expires_at: number | null }, nowMs: number): boolean {
  return row.expires_at !== null && row.expires_at <= nowMs;
}

/** Lets all items expire by the rule of a new container, or by a changed default. */
export function recomputeExpiry(
  connection: Connection,
  table: string,
  defaultSeconds: number | undefined,
): void {
  if (defaultSeconds === undefined) {
    connection.run(`UPDATE ${table} SET expires_at = NULL WHERE expires_at IS NOT NULL`);
    return;
  }
  // It finds expired rows for their removal, and costs nothing for those that never expire.
  connection.exec(
    `CREATE INDEX IF NOT EXISTS ${table}_expiry ON ${table} (expires_at) WHERE expires_at IS NOT NULL`,
  );
  // What was stored while time to live was off may hold anything in `ttl`; only what is allowed there counts.
  connection.run(
    `UPDATE ${table} SET expires_at = (
       SELECT CASE seconds WHEN -1 THEN NULL ELSE (ts + seconds) * 1000 END FROM (
         SELECT CASE WHEN json_type(body, '$.ttl') = 'integer'
             AND (body ->> '$.ttl' = -1 OR body ->> '$.ttl' BETWEEN 1 AND ${MAX_TTL_SECONDS})
           THEN body ->> '$.ttl' ELSE ? END AS seconds))`,
    defaultSeconds,
  );
}
