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
  return tx.db.all<HeldRow>(HELD, instanceKey, tx.nowMs).flatMap(({ work_item, visible_at: visibleAtMs }) => {
    try {
      const item = decodeOrchestratorItem(work_item);
      return debouncedSinceMs(item) === undefined
        ? []
        : [{ message: toMessage(operation, item), visibleAtMs }];
    } catch {
      return [];
    }
  });
}

/** Called when the instance is gone. */
export function storeAgain(tx: Transaction, starts: readonly KeptStart[]): void {
  for (const { message, visibleAtMs } of starts) addMessage(tx, message, { visibleAtMs });
}
