/**
 * The rows of timers that the commit of a turn removes. Their ids are derived, so no read has to find them. A row may be
 * absent, because Rust wrote it under another id: such a timer fires, and settles nothing.
 */
import { timerRowId } from "../documents/ids.ts";
import type { Work } from "../memory/parts.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

/** Each absent row costs a further batch (commit.K4), so many are looked up before. */
const MOST_UNREAD = 2;

const QUERY = "SELECT c.id FROM c WHERE c.type = 'orch_queue' AND ARRAY_CONTAINS(@ids, c.id)";

/** `taken`: the messages of the turn, which it deletes anyway. */
export async function droppedRows(
  work: Work,
  instanceId: string,
  { droppedTimers }: PreparedTurn,
  taken: ReadonlySet<string>,
): Promise<readonly string[]> {
  const ids = droppedTimers.map(timerRowId).filter((id) => !taken.has(id));
  if (ids.length <= MOST_UNREAD) return ids;
  const rows = await work.query<{ readonly id: string }>(instanceId, {
    query: QUERY,
    parameters: [{ name: "@ids", value: ids }],
  });
  return rows.map(({ id }) => id);
}
