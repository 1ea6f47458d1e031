/** The start that waits beside an instance which is deleted (held-start.ts): it was accepted, and begins at its time. */
import { debouncedSinceMs } from "@duroxide-ts/core/stores";
import type { Transaction } from "../commit/transaction.ts";
import { decodeOrchestratorItem } from "../rows/codec.ts";
import { type Message, toMessage } from "../rows/message-row.ts";
import { addMessage } from "./add-message.ts";

const HELD =
  "SELECT work_item, visible_at FROM orchestrator_queue WHERE instance_key = ? AND begins = 1 AND visible_at > ?";

interface HeldRow {
  readonly work_item: string;
  readonly visible_at: number;
}

export interface KeptStart {
  readonly message: Message;
  readonly visibleAtMs: number;
}

/** Called before the rows are deleted. */
export function keptStarts(tx: Transaction, operation: string, instanceKey: number): readonly KeptStart[] {
  return tx.db
    .all<HeldRow>(HELD, instanceKey, tx.nowMs)
    .filter((row) => heldSinceMs(row.work_item) !== undefined)
    .map(({ work_item: workItem, visible_at: visibleAtMs }) => {
      return { message: toMessage(operation, decodeOrchestratorItem(workItem)), visibleAtMs };
    });
}

/** The time of the first start that the row stands for; `undefined` where it was not debounced. */
export function heldSinceMs(workItem: string): number | undefined {
  try {
    return debouncedSinceMs(decodeOrchestratorItem(workItem));
  } catch {
    // It is none: a fetch that takes a row that cannot be read sets it aside.
    return undefined;
  }
}

/** Called when the instance is gone. */
export function storeAgain(tx: Transaction, starts: readonly KeptStart[]): void {
  for (const { message, visibleAtMs } of starts) addMessage(tx, message, { visibleAtMs });
}
