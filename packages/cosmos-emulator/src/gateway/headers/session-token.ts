/**
 * Session tokens: `rangeId:version#lsn`, several of them separated by commas
 * (docs/reference/cosmos-protocol.md §1.11).
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";

/** One write region has no versions of its own: the service writes -1 then. */
export function sessionToken(rangeId: string, lsn: number): string {
  return `${rangeId}:-1#${lsn}`;
}

/** The log sequence number that a reader wants to see at least, for each range. Throws 400 for malformed tokens. */
export function parseSessionTokens(header: string | undefined): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  for (const token of (header ?? "").split(",").map((part) => part.trim())) {
    if (token === "") continue;
    const parts = /^([^:,]+):(?:-?\d+#)?(\d{1,15})(?:#\d+=-?\d+)*$/.exec(token);
    if (parts === null)
      throw CosmosError.badRequest(`The session token ${JSON.stringify(token)} is malformed.`);
    const [, rangeId = "", lsn = ""] = parts;
    wanted.set(rangeId, Math.max(wanted.get(rangeId) ?? 0, Number(lsn)));
  }
  return wanted;
}
