/**
 * Says that events came when nobody waited for them, which is the commonest mistake with events. One line a minute for
 * each instance at most, with the number of events since the last one, so that a sender cannot flood the log.
 */
import type { Clock } from "../contract/clock.ts";
import type { Logger } from "../define/logger.ts";
import { BoundedMap } from "./bounded-map.ts";

const PAUSE_MS = 60_000;

/** A flood of instances costs lines, not memory. */
const MOST_INSTANCES = 1_000;

interface Told {
  atMs: number;
  untold: number;
}

export class LostEventLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #told = new BoundedMap<string, Told>(MOST_INSTANCES);

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** `names` are those of one committed turn. */
  add(instanceId: string, names: readonly string[]): void {
    if (names.length === 0) return;
    const nowMs = this.#clock.now();
    const told = this.#told.get(instanceId) ?? { atMs: Number.NEGATIVE_INFINITY, untold: 0 };
    told.untold += names.length;
    if (nowMs - told.atMs >= PAUSE_MS) {
      this.#tell(instanceId, names, told.untold);
      told.atMs = nowMs;
      told.untold = 0;
    }
    this.#told.set(instanceId, told);
  }

  #tell(instanceId: string, names: readonly string[], count: number): void {
    const [event_name = ""] = names;
    this.#logger.warn(
      { event: "event_dropped", instance_id: instanceId, event_name, count, reason: "no open wait" },
      "an event came when no wait for it was open, and is lost; use a queue for what must not be lost",
    );
  }
}
