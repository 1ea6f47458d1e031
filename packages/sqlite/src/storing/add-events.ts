/** Adds events to a history, and rejects events whose ids are stored already. */
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { EventRow } from "../rows/event-row.ts";

const ADD_EVENT = "INSERT INTO history (instance_key, execution_id, event_id, event) VALUES (?, ?, ?, ?)";

const FIND_EVENT = "SELECT 1 FROM history WHERE instance_key = ? AND execution_id = ? AND event_id = ?";

export function refuseStoredEvents(
  tx: Transaction,
  operation: string,
  instanceKey: number,
  executionId: number,
  events: readonly EventRow[],
): void {
  const seen = new Set<number>();
  for (const { eventId } of events) {
    const stored =
      seen.has(eventId) || tx.db.get(FIND_EVENT, instanceKey, executionId, eventId) !== undefined;
    if (stored) throw ProviderError.duplicateEvent(operation, executionId, eventId);
    seen.add(eventId);
  }
}

export function addEvents(
  tx: Transaction,
  instanceKey: number,
  executionId: number,
  events: readonly EventRow[],
): void {
  for (const { eventId, text } of events) tx.db.run(ADD_EVENT, instanceKey, executionId, eventId, text);
  if (events.length > 0) tx.effects.count("events", events.length);
}
