/**
 * Logs events that arrived when no wait for them was open, the most common mistake with events, and events and messages
 * for an instance that takes none. At most one line a minute for each instance and reason, with the number since the
 * last line, so that a sender cannot flood the log.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import type { Clock } from "../../contract/clock.ts";
import type { Logger } from "../../define/logger.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";

const PAUSE_MS = 60_000;

/** Bounds the memory. Beyond this number an instance may be logged again within a minute. */
const MOST_INSTANCES = 1_000;

/** The reasons for a loss, with what to do. */
const LOST = {
  "no open wait": {
    event: "event_dropped",
    text: "an event came when no wait for it was open, and is lost; use a queue for what must not be lost",
  },
  "instance has ended": {
    event: "message_lost",
    text: "an event or a message came for an instance that has ended, and is lost; the sender must know when to stop, or start a new instance",
  },
  "no such instance": {
    event: "message_lost",
    text: "an event or a message came for an instance that was never started, and is lost; start it first, and check the id",
  },
} as const;

export type LossReason = keyof typeof LOST;

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

  /** `names` are those of one commit. */
  add(instanceId: string, names: readonly string[], reason: LossReason = "no open wait"): void {
    if (names.length === 0) return;
    const nowMs = this.#clock.now();
    const key = `${reason} ${instanceId}`;
    const told = this.#told.get(key) ?? { atMs: Number.NEGATIVE_INFINITY, untold: 0 };
    told.untold += names.length;
    if (nowMs - told.atMs >= PAUSE_MS) {
      this.#tell(instanceId, names, told.untold, reason);
      told.atMs = nowMs;
      told.untold = 0;
    }
    this.#told.set(key, told);
  }

  #tell(instanceId: string, names: readonly string[], count: number, reason: LossReason): void {
    const [event_name = ""] = names;
    const { event, text } = LOST[reason];
    this.#logger.warn({ event, instance_id: instanceId, event_name, count, reason }, text);
  }
}

/** The names of the events and queue messages among the messages. */
export function sentNames(messages: readonly OrchestratorItem[]): readonly string[] {
  return messages.flatMap((message) =>
    message.kind === "ExternalRaised" || message.kind === "QueueMessage" ? [message.name] : [],
  );
}
