/**
 * The unfinished work that this process has stored and not removed: messages for other instances, commits, deletions and
 * prunings. A process that fetches nothing searches the container for unfinished work only while there is some of its own
 * (docs/decisions/cosmos-delivery.md).
 *
 * - unfinished.UF1: A document counts as stored from before its request until an answer says that no attempt has stored
 *   it, because an answer may be lost.
 * - unfinished.UF2: A search ends only what was written before it began, because it may have read the partition before
 *   the write.
 */
import type { BatchOperation, BatchOutcome } from "./batch.ts";

/** Documents that say what is to be completed (delivering/reconciler.ts). */
const TYPES: ReadonlySet<unknown> = new Set([
  "outbox_intent",
  "commit_intent",
  "staging",
  "delete_intent",
  "prune_intent",
]);

/** More than a process leaves. What is forgotten is completed by processes that fetch. */
const MOST = 10_000;

export class Unfinished {
  /** Time at which each document was written, ms since the epoch, by partition and id. */
  readonly #writtenMs = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#writtenMs.size === 0;
  }

  /** Called before the request (unfinished.UF1). */
  sent(instanceId: string, operations: readonly BatchOperation[], nowMs: number): void {
    for (const key of writtenIn(instanceId, operations)) this.#writtenMs.set(key, nowMs);
    for (const key of this.#writtenMs.keys()) {
      if (this.#writtenMs.size <= MOST) return;
      this.#writtenMs.delete(key);
    }
  }

  answered(instanceId: string, operations: readonly BatchOperation[], outcome: BatchOutcome): void {
    if (this.#writtenMs.size === 0) return;
    if (outcome.ok) {
      for (const each of operations)
        if (each.kind === "delete") this.#writtenMs.delete(unfinishedKey(instanceId, each.id));
    } else if (!outcome.repeated) {
      for (const key of writtenIn(instanceId, operations)) this.#writtenMs.delete(key);
    }
  }

  /** A search of the whole container that began at this time has found these documents and no others. */
  searched(found: ReadonlySet<string>, beganMs: number): void {
    for (const [key, writtenMs] of this.#writtenMs)
      if (writtenMs < beganMs && !found.has(key)) this.#writtenMs.delete(key);
  }
}

export function unfinishedKey(instanceId: string, id: string): string {
  return JSON.stringify([instanceId, id]);
}

function writtenIn(instanceId: string, operations: readonly BatchOperation[]): readonly string[] {
  return operations.flatMap((each) =>
    (each.kind === "create" || each.kind === "upsert") && TYPES.has(each.body["type"])
      ? [unfinishedKey(instanceId, String(each.body["id"]))]
      : [],
  );
}
