/**
 * An instance for a turn without a lock: unchanged since the caller's last turn, unlocked, and without a message in memory
 * that precedes the turn (docs/decisions/activities.md). The memory may be outdated; the ETag of the instance
 * decides at the commit.
 */
import { type Instance, isNamed } from "../documents/instance.ts";
import type { Work } from "../memory/parts.ts";
import { readPartition } from "./partition.ts";

export interface Unchanged {
  readonly instance: Instance;
  /** Whether it was read just now, with its messages; otherwise it was in memory. */
  readonly isRead: boolean;
}

/** `tag` is the secret of the caller's last turn. */
export async function unchangedInstance(
  work: Work,
  instanceId: string,
  tag: string,
): Promise<Unchanged | undefined> {
  const nowMs = work.clock.now();
  const known = work.memory.instances.get(instanceId);
  if (known !== undefined && known.heldUntilMs > nowMs) return undefined;
  if (work.memory.turns.attempts.has(instanceId)) return undefined;
  for (const { visibleAtMs } of known?.rows.values() ?? []) if (visibleAtMs <= nowMs) return undefined;
  if (known?.instance !== undefined && !isAtTag(known.instance, tag)) return undefined;
  if (known?.instance !== undefined && known.reads.mayUseMemory(nowMs, false)) {
    return { instance: known.instance, isRead: false };
  }
  const { instance, rows } = await readPartition(work, instanceId);
  if (instance === undefined || rows.length > 0 || !isAtTag(instance, tag)) return undefined;
  return { instance, isRead: true };
}

function isAtTag(instance: Instance, tag: string): boolean {
  const { document, notes } = instance;
  return (
    isNamed(instance) &&
    document.lockToken === null &&
    notes.blocked === undefined &&
    notes.suspended === undefined &&
    notes.turns?.[0] === tag
  );
}
