/**
 * Deletes batches behind the beginning of a stream. The record says up to where: the next write stores it, and one that
 * another process has swept already has no batch left there.
 */
import { type StreamBounds, streamKey } from "@duroxide-ts/core/stores";
import { type StreamState, streamNumber } from "../documents/stream.ts";
import type { Work } from "../memory/parts.ts";
import { BEST_EFFORT_MS } from "../memory/waits.ts";
import { MAX_OPERATIONS } from "../service/batch.ts";

/** Values that lie behind at least, beside a tenth of the bound, so that a sweep is worth its requests. */
const LEAST_BEHIND = 50;

const BEHIND = `SELECT TOP ${MAX_OPERATIONS} VALUE c.id FROM c WHERE c.type = 'stream_batch' AND c.executionId = @stream
  AND c.eventId < @first`;

export async function sweepStream(
  work: Work,
  instanceId: string,
  { name, first, swept }: StreamState,
  { maxItems }: StreamBounds,
): Promise<void> {
  if (first - swept < maxItems / 10 + LEAST_BEHIND) return;
  const sweeping = work.within(BEST_EFFORT_MS);
  const parameters = { "@stream": streamNumber(name), "@first": first };
  const ids = await sweeping.query<string>(instanceId, BEHIND, parameters);
  if (ids.length > 0) {
    const outcome = await sweeping.batch(
      instanceId,
      ids.map((id) => ({ kind: "delete", id })),
    );
    // Another process sweeps.
    if (!outcome.ok) return;
  }
  const key = streamKey(instanceId, name);
  const known = work.memory.streams.get(key);
  if (known !== undefined && ids.length < MAX_OPERATIONS)
    work.memory.streams.set(key, { ...known, swept: first });
}
