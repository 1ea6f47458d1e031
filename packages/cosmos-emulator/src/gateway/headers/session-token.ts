/**
 * Session tokens: `rangeId:version#lsn`, several of them separated by commas
 * (docs/reference/cosmos-protocol.md §1.11).
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";

/** Writes a token. One write region has no versions of its own: the service writes -1 then. */
export function sessionToken(rangeId: string, lsn: number): string {
  return `${rangeId}:-1#${lsn}`;
}

/** The content of a token. */
export interface SessionPosition {
  readonly range: string;
  /** -1 where the token has none. */
  readonly version: number;
  readonly lsn: number;
}

/** Reads tokens. Throws 400 for malformed ones. */
export function parseTokens(header: string | undefined): readonly SessionPosition[] {
  const tokens = (header ?? "").split(",").map((part) => part.trim());
  return tokens.filter((token) => token !== "").map(parseToken);
}

function parseToken(token: string): SessionPosition {
  const parts = /^([^:,]+):(?:(-?\d+)#)?(\d{1,15})(?:#\d+=-?\d+)*$/.exec(token);
  if (parts === null)
    throw CosmosError.badRequest(`The session token ${JSON.stringify(token)} is malformed.`);
  const [, range = "", version = "-1", lsn = ""] = parts;
  return { range, version: Number(version), lsn: Number(lsn) };
}

/**
 * Reads the least log sequence number that a reader wants to see, for each range. Throws 400 for malformed tokens.
 */
export function parseSessionTokens(header: string | undefined): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  for (const { range, lsn } of parseTokens(header)) {
    wanted.set(range, Math.max(wanted.get(range) ?? 0, lsn));
  }
  return wanted;
}
