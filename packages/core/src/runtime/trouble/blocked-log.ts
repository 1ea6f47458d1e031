/** Logs blocked work: the first time, then once a minute for each piece of work. */
import { BoundedMap } from "../../collections/bounded-map.ts";
import { type Clock, hasPassed } from "../../contract/clock.ts";
import type { LogFields, Logger } from "../../define/logger.ts";

const REMINDER_MS = 60_000;
/** Pieces of work that are remembered. Beyond that the oldest is logged again too soon, without further effect. */
const MOST_KEYS = 10_000;

export class BlockedLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #toldAtMs = new BoundedMap<string, number>(MOST_KEYS);

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** `attempts`: how often the work was given back as blocked, this time included. */
  tell(key: string, attempts: number, detail: string, fields: LogFields): void {
    const nowMs = this.#clock.now();
    const toldAtMs = this.#toldAtMs.get(key);
    if (toldAtMs !== undefined && !hasPassed(nowMs, toldAtMs, REMINDER_MS)) return;
    this.#toldAtMs.set(key, nowMs);
    this.#logger.warn({ ...fields, attempts }, `blocked: ${detail}`);
  }
}
