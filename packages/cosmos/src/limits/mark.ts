/**
 * The mark that there may be ranked rows (docs/decisions/limits.md). It is written before the first of them, for longer
 * than the writer counts on it, and removed by a process that finds none when it is over. So no row is without it.
 */

import { RANKED_PARTITION } from "../documents/ids.ts";
import { markBody, RANKED_MARK } from "../documents/limit-documents.ts";
import { RANKED_FROM, RANKED_TO } from "../documents/ranked.ts";
import type { Work } from "../memory/parts.ts";
import { RANKED_ACTIVE_MS, RANKED_MARK_MS } from "../memory/waits.ts";

const ANY =
  "SELECT VALUE c.id FROM c WHERE c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to";

/** Called before a ranked row is written. */
export async function markRanked(work: Work): Promise<void> {
  const { activities } = work.memory;
  const nowMs = work.clock.now();
  activities.rankedUntilMs = nowMs + RANKED_ACTIVE_MS;
  if (activities.markedUntilMs > nowMs) return;
  await work.batch(RANKED_PARTITION, [{ kind: "upsert", body: markBody(nowMs + RANKED_MARK_MS) }]);
  activities.markedUntilMs = nowMs + RANKED_MARK_MS / 2;
}

/** Removes the mark where it is old and no ranked row is left. */
export async function sweepMark(work: Work): Promise<void> {
  // Before the look, because a row that is stored after it comes with a newer mark.
  const mark = await work.read(RANKED_PARTITION, RANKED_MARK);
  const spec = {
    query: ANY,
    parameters: [
      { name: "@from", value: RANKED_FROM },
      { name: "@to", value: RANKED_TO },
    ],
  };
  const found = await work.inRanges(
    async (range) => (await work.rangePage(range, spec, 1, undefined)).results,
  );
  if (found.flat().length > 0) return;
  if (mark === undefined || Number(mark["keptUntil"]) > work.clock.now()) return;
  await work.batch(RANKED_PARTITION, [{ kind: "delete", id: RANKED_MARK, ifMatch: mark._etag }]);
}
