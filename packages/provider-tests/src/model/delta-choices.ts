/** Random events of a turn, numbered as a runtime does it or as it must not. */
import type { EventPayloads, EventType, HistoryEvent } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { eventOf, failed, scheduled, started } from "../messages.ts";
import type { Situation } from "./situation.ts";

const EVENTS = ["set", "clear", "clear-all", "status", "no-status", "scheduled", "failed"] as const;

/** On from the last stored id, or in a way that a store must refuse or endure. */
const NUMBERINGS = ["next", "gap", "stored", "twice", "zero"] as const;

interface EventChoice {
  readonly type: (typeof EVENTS)[number];
  readonly key: string;
}

export interface DeltaChoice {
  readonly events: readonly EventChoice[];
  readonly numbering: (typeof NUMBERINGS)[number];
  /** How many queue messages an execution inherits that begins with this turn. */
  readonly carried: number;
}

export const aDelta: Arbitrary<DeltaChoice> = fc.record({
  events: fc.array(fc.record({ type: fc.constantFrom(...EVENTS), key: fc.constantFrom("k1", "k2") }), {
    maxLength: 4,
  }),
  numbering: fc.oneof(
    { weight: 9, arbitrary: fc.constant("next" as const) },
    { weight: 2, arbitrary: fc.constantFrom(...NUMBERINGS) },
  ),
  carried: fc.nat(2),
});

/** An execution begins with its start. */
export function deltaOf(
  situation: Situation,
  instance: string,
  executionId: number,
  { events, numbering, carried }: DeltaChoice,
): readonly HistoryEvent[] {
  const ids = situation.eventIds(instance, executionId);
  const start = ids.length === 0 ? [startOf(situation, instance, executionId, carried)] : [];
  const firstId = Math.max(1, ...ids) + (numbering === "gap" ? 99_998 : 1);
  const rest = events.map((choice, index) => {
    const id = idOfEvent(numbering, index, firstId);
    return eventFor(situation, instance, executionId, id, choice);
  });
  return [...start, ...rest];
}

/** Event 1 is there once an execution has begun. */
function idOfEvent(numbering: DeltaChoice["numbering"], index: number, firstId: number): number {
  if (index > 0 && numbering === "twice") return firstId;
  if (index > 0) return firstId + index;
  if (numbering === "stored") return 1;
  return numbering === "zero" ? 0 : firstId;
}

function startOf(situation: Situation, instance: string, executionId: number, carried: number): HistoryEvent {
  if (carried === 0) return situation.made(started, instance, executionId);
  const carry_forward_events = Array.from({ length: carried }, () => ["queue", "{}"] as const);
  return situation.made(started, instance, executionId, { carry_forward_events });
}

function eventFor(
  situation: Situation,
  instance: string,
  executionId: number,
  id: number,
  { type, key }: EventChoice,
): HistoryEvent {
  const serial = situation.serial();
  const made = <T extends EventType>(name: T, payload: EventPayloads[T]): HistoryEvent =>
    situation.made(eventOf<T>, name, instance, id, payload, executionId);
  switch (type) {
    case "set":
      return made("KeyValueSet", { key, value: `value${serial}`, last_updated_at_ms: serial });
    case "clear":
      return made("KeyValueCleared", { key });
    case "clear-all":
      return made("KeyValuesCleared", {});
    case "status":
      return made("CustomStatusUpdated", { status: `status${serial}` });
    case "no-status":
      return made("CustomStatusUpdated", { status: null });
    case "scheduled":
      return situation.made(scheduled, instance, id, executionId);
    case "failed":
      return situation.made(failed, instance, id, `failure${serial}`, executionId);
  }
}
