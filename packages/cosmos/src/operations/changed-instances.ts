/**
 * The instances whose documents were written since a time, with their ETags, in one query for each physical partition.
 * The time is the service's, in whole seconds, and it is indexed in every container. Locks change the ETag too.
 */
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

const QUERY = `SELECT c.instanceId, c._etag FROM c
  WHERE c.type = 'instance' AND c._ts >= @since AND ARRAY_CONTAINS(@ids, c.instanceId)`;

interface Changed {
  readonly instanceId: string;
  readonly _etag: string;
}

export async function changedInstances(
  parts: Parts,
  instanceIds: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, string>> {
  // The caller knows them by ids that the service may store in another form.
  const given = new Map(instanceIds.map((id) => [id.toWellFormed(), id]));
  const changed = await new Work(parts, "changedInstances", READ_TIMEOUT_MS).queryAll<Changed>(QUERY, {
    "@since": Math.floor(sinceMs / 1_000),
    "@ids": [...given.keys()],
  });
  return new Map(changed.map(({ instanceId, _etag }) => [given.get(instanceId) ?? instanceId, _etag]));
}
