/**
 * Adds events to a history, and rejects events whose ids are stored already.
 *
 * - add-events.AE1: The ranges of ids of two rows never overlap, because each event is looked for before it is added.
 *   The row with the greatest first id up to an id is thus the only one that may contain it.
 */
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import type { EventRow } from "../rows/event-row.ts";

const ADD_EVENTS = `INSERT INTO history (instance_key, execution_id, event_id, event, event_count)
  VALUES (?, ?, ?, ?, ?)`;

const FIND_EVENT = `SELECT event_id + event_count > ?3 AS is_stored FROM history
  WHERE instance_key = ?1 AND execution_id = ?2 AND event_id <= ?3 ORDER BY event_id DESC LIMIT 1`;

/** A row of more than some pages saves nothing, and a text has a limit. */
const MOST_CHARACTERS = 16_384;

export function refuseStoredEvents(
  tx: Transaction,
  operation: string,
  instanceKey: number,
  executionId: number,
  events: readonly EventRow[],
): void {
  const seen = new Set<number>();
  for (const { eventId } of events) {
    const isStored = seen.has(eventId) || isInHistory(tx, instanceKey, executionId, eventId);
    if (isStored) throw ProviderError.duplicateEvent(operation, executionId, eventId);
    seen.add(eventId);
  }
}

/** add-events.AE1 */
function isInHistory(
  { db }: Transaction,
  instanceKey: number,
  executionId: number,
  eventId: number,
): boolean {
  const before = db.get<{ is_stored: number }>(FIND_EVENT, instanceKey, executionId, eventId);
  return before?.is_stored === 1;
}

/** Adds neighbours as one row. */
export function addEvents(
  tx: Transaction,
  instanceKey: number,
  executionId: number,
  events: readonly EventRow[],
): void {
  let firstId = 0;
  let count = 0;
  let texts = "";
  const add = (): void => {
    if (count > 0) tx.db.run(ADD_EVENTS, instanceKey, executionId, firstId, texts, count);
  };
  for (const { eventId, text } of events) {
    if (count > 0 && eventId === firstId + count && texts.length < MOST_CHARACTERS) {
      texts += `,${text}`;
      count++;
      continue;
    }
    add();
    firstId = eventId;
    count = 1;
    texts = text;
  }
  add();
  if (events.length > 0) tx.effects.count("events", events.length);
}
