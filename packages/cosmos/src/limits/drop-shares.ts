/** Drops the shares of a process that has ended: none of its handlers runs any more (docs/decisions/limits.md). */
import { groupOfKey, secretsOf } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { toUse, type Use } from "../documents/limit-documents.ts";
import type { Work } from "../memory/parts.ts";
import { RANKED_ACTIVE_MS } from "../memory/waits.ts";

const USES = "SELECT c.id, c.instanceId, c.level, c.shares, c._etag FROM c WHERE c.type = 'limit_use'";

/** Conflicts with other processes over one document. */
const MOST_CONFLICTS = 5;

/** A share that is not dropped ends by its time. */
export async function dropShares(work: Work, holder: string): Promise<void> {
  const { permits, activities } = work.memory;
  for (const stored of await work.queryAll<Stored>(USES)) {
    if (withoutHolder(stored, holder) === undefined) continue;
    const level = String(stored["level"]);
    const group = groupOfKey(level);
    // Not while this process writes its own.
    await permits.inTurn(group, () => dropShare(work, stored, holder));
    // What the process ran is looked for, and permits for it are asked for at once.
    activities.rankedUntilMs = work.clock.now() + RANKED_ACTIVE_MS;
    permits.readAgain(level);
    permits.pause(group, 0);
  }
}

async function dropShare(work: Work, listed: Stored, holder: string): Promise<void> {
  const { id } = listed;
  const instanceId = String(listed["instanceId"]);
  let stored: Stored | undefined = listed;
  for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt++) {
    const shares: Use["shares"] | undefined = stored && withoutHolder(stored, holder);
    if (stored === undefined || shares === undefined) return;
    const { _etag: ifMatch } = stored;
    const outcome = await work.batch(instanceId, [{ kind: "set", id, values: { shares }, ifMatch }]);
    if (outcome.ok) return;
    await work.again(attempt);
    stored = await work.read(instanceId, id);
  }
}

/** Undefined if the process has none. */
function withoutHolder(stored: Stored, holder: string): Use["shares"] | undefined {
  const { from } = secretsOf(holder);
  const all = Object.entries(toUse(stored).shares);
  const left = all.filter(([process]) => !process.startsWith(from));
  return left.length === all.length ? undefined : Object.fromEntries(left);
}
