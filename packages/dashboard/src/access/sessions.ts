/**
 * Signing in to a standalone dashboard.
 *
 * 1. A one-time token is worth one session, and nothing afterwards. A token that the user chose can be used again.
 * 2. Tokens and sessions are kept as digests and compared as digests, so that the time of a comparison tells nothing.
 * 3. A session ends when somebody signs out, after twelve hours without a request, and with the process; a one-time token
 *    after a day. Cookies go to all servers of a host, so one that another server has seen must not be good for ever.
 */
import { createHash } from "node:crypto";
import type { Clock, Random } from "@duroxide-ts/core";

const TOKEN_MS = 24 * 3_600_000;
const IDLE_MS = 12 * 3_600_000;

export class Sessions {
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #chosen: string | undefined;
  /** Ends of one-time tokens, ms since the epoch, by digest. */
  readonly #oneTime = new Map<string, number>();
  /** Ends of sessions without a further request, ms since the epoch, by digest. */
  readonly #sessions = new Map<string, number>();

  constructor(random: Random, clock: Clock, chosen: string | undefined) {
    this.#random = random;
    this.#clock = clock;
    this.#chosen = chosen === undefined ? undefined : digest(chosen);
  }

  newToken(): string {
    const token = this.#secret();
    this.#add(this.#oneTime, token, TOKEN_MS);
    return token;
  }

  /** The secret of a new session, or `undefined` for a token that is not valid. */
  redeem(token: string): string | undefined {
    if (!this.isChosen(token) && !this.#takeOneTime(digest(token))) return undefined;
    const session = this.#secret();
    this.#add(this.#sessions, session, IDLE_MS);
    return session;
  }

  isSession(secret: string): boolean {
    const key = digest(secret);
    if (!this.#isOpen(this.#sessions.get(key))) return false;
    this.#sessions.set(key, this.#clock.now() + IDLE_MS);
    return true;
  }

  end(secret: string): void {
    this.#sessions.delete(digest(secret));
  }

  isChosen(token: string): boolean {
    return this.#chosen === digest(token);
  }

  #takeOneTime(key: string): boolean {
    const endsAtMs = this.#oneTime.get(key);
    this.#oneTime.delete(key);
    return this.#isOpen(endsAtMs);
  }

  #isOpen(endsAtMs: number | undefined): boolean {
    return endsAtMs !== undefined && this.#clock.now() < endsAtMs;
  }

  /** Forgets those that have ended, so that their number stays small. */
  #add(ends: Map<string, number>, secret: string, lastsMs: number): void {
    for (const [key, endsAtMs] of ends) if (!this.#isOpen(endsAtMs)) ends.delete(key);
    ends.set(digest(secret), this.#clock.now() + lastsMs);
  }

  /** 244 random bits. */
  #secret(): string {
    return `${this.#random.uuid()}${this.#random.uuid()}`.replaceAll("-", "");
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
