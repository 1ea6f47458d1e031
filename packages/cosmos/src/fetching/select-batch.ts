/**
 * Selects the messages of a turn: the first ones by order time, as many as a commit of one batch can hold. The start and
 * cancellations are always among them: without its start a turn of the next execution could do nothing and would release
 * the messages before it again and again, and a blocked instance can be cancelled however many messages wait.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { sortMessages } from "../documents/queue-order.ts";
import type { MessageRow } from "../documents/rows.ts";
import { isStart } from "./to-fetched.ts";

/** The most messages of one turn. */
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
