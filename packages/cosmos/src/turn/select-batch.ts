/**
 * Which messages of an instance make one turn: the first ones by order time, so many that the commit fits into a batch.
 * Some are always among them. Without its start a turn of the next execution could do nothing, and the messages before
 * it would be given back again and again; a blocked instance can be cancelled however many messages wait.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { sortMessages } from "../schema/queue-order.ts";
import type { MessageRow } from "../schema/rows.ts";
import { isStart } from "./to-fetched.ts";

/** So many messages go into one turn at most. */
export const MAX_MESSAGES = 30;

export function selectBatch(rows: readonly MessageRow[], isBlocked = false): readonly MessageRow[] {
  const sorted = sortMessages(rows);
  const rest = sorted.slice(MAX_MESSAGES);
  if (rest.length === 0) return sorted;
  const first = sorted.slice(0, MAX_MESSAGES);
  const needed = [isStart, ...(isBlocked ? [isCancellation] : [])];
  const added = needed.flatMap((isNeeded) =>
    first.some(({ item }) => isNeeded(item)) ? [] : (rest.find(({ item }) => isNeeded(item)) ?? []),
  );
  return [...first.slice(0, MAX_MESSAGES - added.length), ...sortMessages(added)];
}

function isCancellation({ kind }: OrchestratorItem): boolean {
  return kind === "CancelInstance";
}
