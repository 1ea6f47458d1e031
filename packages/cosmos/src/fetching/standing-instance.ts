/**
 * An instance for a turn that takes no lock: as the caller left it, free, and without a message that is known to come
 * first (docs/decisions/0037). What is known may be wrong; the ETag of the instance decides when the turn is committed.
 */
import { type Instance, isNamed } from "../documents/instance.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call } from "../service/service.ts";
import { readPartition } from "./partition.ts";

export interface Standing {
  readonly instance: Instance;
  /** Just now, with its messages; else it was known before. */
  readonly isRead: boolean;
}

/** `tag` is the secret of the last turn that the caller knows. */
export async function standingInstance(
  memory: Memory,
  call: Call,
  instanceId: string,
  tag: string,
): Promise<Standing | undefined> {
  const nowMs = call.service.clock.now();
  const known = memory.instances.get(instanceId);
  if (known !== undefined && known.heldUntilMs > nowMs) return undefined;
  if (memory.turns.attempts.has(instanceId)) return undefined;
  for (const { visibleAtMs } of known?.rows.values() ?? []) if (visibleAtMs <= nowMs) return undefined;
  if (known?.instance !== undefined && !standsAt(known.instance, tag)) return undefined;
  if (known?.instance !== undefined && known.looks.mayGoOn(nowMs, false)) {
    return { instance: known.instance, isRead: false };
  }
  const { instance, rows } = await readPartition(call, instanceId);
  if (instance === undefined || rows.length > 0 || !standsAt(instance, tag)) return undefined;
  return { instance, isRead: true };
}

function standsAt(instance: Instance, tag: string): boolean {
  const { document, notes } = instance;
  return (
    isNamed(instance) &&
    document.lockToken === null &&
    notes.blocked === undefined &&
    notes.suspended === undefined &&
    notes.turns?.[0] === tag
  );
}
