/** The newest session token of each partition key range, so that a read sees what was written before it. */
import type { Reply } from "./reply.ts";

export class Session {
  readonly #tokens = new Map<string, string>();

  /** Returns the headers of a request about items. */
  get headers(): Readonly<Record<string, string>> {
    if (this.#tokens.size === 0) return {};
    return {
      "x-ms-session-token": [...this.#tokens.values()].join(","),
      "x-ms-consistency-level": "Session",
    };
  }

  take(reply: Reply): void {
    for (const token of reply.header("x-ms-session-token")?.split(",") ?? []) {
      const [range = ""] = token.split(":");
      const known = this.#tokens.get(range);
      if (known === undefined || lsnOf(known) <= lsnOf(token)) this.#tokens.set(range, token);
    }
  }
}

/**
 * Reads the position of `range:version#lsn#region=lsn…` (docs/reference/cosmos-protocol.md §1.11), or of `range:lsn`.
 */
function lsnOf(token: string): number {
  const [, version = "", lsn = version] = /^[^:]*:([^#]*)(?:#(\d+))?/.exec(token) ?? [];
  return Number(lsn);
}
