/** Warnings whose causes come with every request, at most one a minute of each kind. */
import { type Clock, hasPassed } from "../contract/clock.ts";
import type { Logger } from "./logger.ts";

const PAUSE_MS = 60_000;

/** Writes a warning of a kind unless it has written one within the last minute. */
export class RareWarnings {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #writtenAtMs = new Map<string, number>();

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** `event` is the kind. */
  write(event: string, message: string): void {
    const nowMs = this.#clock.now();
    const writtenAtMs = this.#writtenAtMs.get(event);
    if (writtenAtMs !== undefined && !hasPassed(nowMs, writtenAtMs, PAUSE_MS)) return;
    this.#writtenAtMs.set(event, nowMs);
    this.#logger.warn({ event }, message);
  }
}
