/**
 * The events raised by name that a wait had received. When they are sent again, the code may not have come to its wait, so
 * they must be kept for it (arrivals.A7). Others came when no wait was open, and were lost.
 */
import { DEQUEUE } from "../replay/calls/dequeue.ts";
import { EVENT_WAIT } from "../replay/calls/event-wait.ts";
import type { CallKind } from "../replay/calls/kind.ts";
import { HistoryIndex } from "../replay/history/history-index.ts";
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import type { U64 } from "../wire/integer.ts";

/** The receiver of an event: a plain wait, or the wait for the kept event of its name (arrivals.A5). */
export type Receiver = "wait" | "kept wait";

export function answeringEvents(history: readonly HistoryEvent[]): ReadonlyMap<HistoryEvent, Receiver> {
  const answering = new Map<HistoryEvent, Receiver>();
  const index = new HistoryIndex();
  /** Names of the waits for kept events, by id. */
  const keptWaits = new Map<U64, string>();
  for (const event of history) {
    if (event.type === "ExternalSubscribedPersistent" && event.kept_event === true)
      keptWaits.set(event.event_id, event.name);
    if (event.type === "ExternalEvent") {
      const receiver = receiverOf(event, index, keptWaits);
      if (receiver !== undefined) answering.set(event, receiver);
    }
    index.add(event);
  }
  return answering;
}

function receiverOf(
  { name, set_aside }: EventOf<"ExternalEvent">,
  index: HistoryIndex,
  keptWaits: Map<U64, string>,
): Receiver | undefined {
  const isOpen = (kind: CallKind, holds: (id: U64) => boolean): U64 | undefined =>
    index.open(kind).find((call) => call.name === name && holds(call.id))?.id;
  if (isOpen(EVENT_WAIT, () => true) !== undefined) return "wait";
  const kept = isOpen(DEQUEUE, (id) => keptWaits.has(id));
  if (kept === undefined) return undefined;
  // The index counts it as open.
  if (set_aside === undefined) keptWaits.delete(kept);
  return "kept wait";
}
