/**
 * Signing in to a standalone dashboard.
 *
 * 1. A one-time token is worth one session, and nothing afterwards. A token that the user chose can be used again.
 * 2. Tokens and sessions are kept as digests and compared as digests, so that the time of a comparison tells nothing.
 * 3. Sessions end with the process.
 */
import { createHash } from "node:crypto";
import type { Random } from "@duroxide-ts/core";

export class Sessions {
  readonly #random: Random;
  readonly #chosen: string | undefined;
  readonly #oneTime = new Set<string>();
  readonly #sessions = new Set<string>();

  constructor(random: Random, chosen: string | undefined) {
    this.#random = random;
    this.#chosen = chosen === undefined ? undefined : digest(chosen);
  }

  newToken(): string {
    const token = this.#secret();
    this.#oneTime.add(digest(token));
    return token;
  }

  /** The secret of a new session, or `undefined` for a token that is not valid. */
  redeem(token: string): string | undefined {
    if (!this.isChosen(token) && !this.#oneTime.delete(digest(token))) return undefined;
    const session = this.#secret();
    this.#sessions.add(digest(session));
    return session;
  }

  isSession(secret: string): boolean {
    return this.#sessions.has(digest(secret));
  }

  isChosen(token: string): boolean {
    return this.#chosen === digest(token);
  }

  /** 244 random bits. */
  #secret(): string {
    return `${this.#random.uuid()}${this.#random.uuid()}`.replaceAll("-", "");
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
