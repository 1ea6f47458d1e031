/** Rows that could not be decoded, newest first. A row that is requeued keeps its text. */
import { checkSettling } from "../../../../contract/admin-arguments.ts";
import type { DeadLetterPage, DeadLetterQuery } from "../../../../contract/queries.ts";
import { checkDeadLetterQuery, DEFAULT_PAGE } from "../../../../contract/query-arguments.ts";
import { continuationOf, positionOf } from "../../../../stores/continuation.ts";
import type { Store } from "../../store.ts";

const OPERATION = "listDeadLetters";
const QUERY = { list: OPERATION };

export function listDeadLetters(store: Store, query: DeadLetterQuery = {}): DeadLetterPage {
  checkDeadLetterQuery(OPERATION, query);
  const { limit = DEFAULT_PAGE, continuation } = query;
  const [before] = positionOf(OPERATION, QUERY, continuation, ([id]) => typeof id === "number") ?? [];
  const older = [...store.deadLetters.values()]
    .filter(({ letter }) => before === undefined || Number(letter.id) < Number(before))
    .sort((a, b) => Number(b.letter.id) - Number(a.letter.id));
  const deadLetters = older.slice(0, limit).map(({ letter }) => letter);
  const last = deadLetters.at(-1);
  if (older.length <= limit || last === undefined) return { deadLetters };
  return { deadLetters, continuation: continuationOf(QUERY, [Number(last.id)]) };
}

export function settleDeadLetter(store: Store, id: string, how: "requeue" | "drop"): boolean {
  checkSettling("settleDeadLetter", how);
  const dead = store.deadLetters.get(id);
  if (dead === undefined) return false;
  store.deadLetters.delete(id);
  if (how === "drop") return true;
  const visibleAtMs = store.clock.now();
  if (dead.message !== undefined) store.messages.push({ ...dead.message, visibleAtMs });
  if (dead.activity !== undefined) store.activities.push({ ...dead.activity, visibleAtMs });
  return true;
}
