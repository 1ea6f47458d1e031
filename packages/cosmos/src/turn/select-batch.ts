/**
 * Which messages of an instance make one turn: the first ones by order time, so many that the commit fits into a batch.
 * A start is always among them: without it a turn of the next execution could do nothing, and the messages before it
 * would be given back again and again.
 */
import { type MessageRow, sortMessages } from "../schema/rows.ts";
import { isStart } from "./to-fetched.ts";

/** So many messages go into one turn at most. */
export const MAX_MESSAGES = 30;

export function selectBatch(rows: readonly MessageRow[]): readonly MessageRow[] {
  const sorted = sortMessages(rows);
  const first = sorted.slice(0, MAX_MESSAGES);
  if (first.some(({ item }) => isStart(item))) return first;
  const start = sorted.slice(MAX_MESSAGES).find(({ item }) => isStart(item));
  return start === undefined ? first : [...first.slice(0, -1), start];
}
