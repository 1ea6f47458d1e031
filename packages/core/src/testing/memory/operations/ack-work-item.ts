/** Replaces a locked activity by its outcome (docs/reference/provider-contract.md §10); without one it is deleted. */
import { invalidInput } from "../../../stores/arguments.ts";
import type { ActivityOutcome } from "../../../wire/work-item.ts";
import { toMessageRow } from "../codec.ts";
import { findValidActivityLock } from "../locks.ts";
import type { Store } from "../store.ts";
import { touchSession } from "./sessions.ts";

const OPERATION = "ackWorkItem";

export function ackWorkItem(store: Store, lockToken: string, outcome?: ActivityOutcome): void {
  const nowMs = store.clock.now();
  if (outcome !== undefined) checkOutcome(outcome);
  const message = outcome && toMessageRow(OPERATION, outcome, nowMs);
  const acked = findValidActivityLock(store, OPERATION, lockToken, nowMs);
  store.activities = store.activities.filter((row) => row !== acked);
  touchSession(store, acked.sessionId, nowMs);
  if (message !== undefined) store.messages.push(message);
}

function checkOutcome({ kind }: ActivityOutcome): void {
  if (kind === "ActivityCompleted" || kind === "ActivityFailed") return;
  throw invalidInput(OPERATION, "an activity ends with ActivityCompleted or ActivityFailed, nothing else");
}
