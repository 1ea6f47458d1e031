/**
 * Permits of instances that have ended or are gone: their process died before it returned them, or Rust ended the
 * instance (docs/decisions/limits.md).
 */
import { hasEnded } from "@duroxide-ts/core/stores";
import { limitsPartition } from "../documents/ids.ts";
import { statusOf } from "../documents/instance.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { endPermit } from "../limits/end-permit.ts";
import type { Work } from "../memory/parts.ts";
import { spec } from "../service/spec.ts";

const PERMITS = "SELECT * FROM c WHERE c.type = 'limit_permit'";

/** Permits that are looked at in one call. */
const MOST = 20;

/** Looks at the next permits of a group; resolves to the continuation for the next call, and whether any has ended. */
export async function sweepPermits(
  work: Work,
  group: string,
  continuation: string | undefined,
): Promise<{ readonly continuation: string | undefined; readonly ended: number }> {
  const page = await work.page(limitsPartition(group), spec(PERMITS), MOST, continuation);
  let ended = 0;
  for (const { key, instance } of page.results)
    if (await endIfOver(work, String(key), String(instance))) ended++;
  return { continuation: page.continuation, ended };
}

/** Ends the permit of an instance that does not run; returns whether it did. */
export async function endIfOver(work: Work, key: string, instanceId: string): Promise<boolean> {
  const instance = await storedInstance(work, instanceId);
  if (instance !== undefined && !hasEnded(statusOf(instance).status)) return false;
  await endPermit(work, key, instanceId);
  return true;
}
