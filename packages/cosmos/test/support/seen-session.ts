/** The session of a provider, for another client that is to read what the provider wrote (docs/reference/cosmos-protocol.md §1.11). */
import type { PipelineResponse } from "@azure/core-rest-pipeline";

export class SeenSession {
  /** The newest token of each physical partition. */
  readonly #tokens = new Map<string, string>();

  /** Notes the tokens of an answer. It is called with each answer. */
  note({ headers }: PipelineResponse): void {
    for (const each of (headers.get("x-ms-session-token") ?? "").split(",")) {
      const [range = "", token = ""] = each.split(":");
      if (token !== "" && positionOf(token) >= positionOf(this.#tokens.get(range)))
        this.#tokens.set(range, token);
    }
  }

  /** Undefined before the first write. */
  get token(): string | undefined {
    if (this.#tokens.size === 0) return undefined;
    return [...this.#tokens].map(([range, token]) => `${range}:${token}`).join();
  }

  /** Options of a request with this session. */
  get options(): { readonly sessionToken?: string } {
    const { token } = this;
    return token === undefined ? {} : { sessionToken: token };
  }
}

/** The position in the log of writes: `-1#123` or `-1#123#4=122`. */
function positionOf(token = ""): number {
  return Number(token.split("#")[1] ?? -1);
}
