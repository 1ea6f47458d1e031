/** Keeps the share of a running activity for as long as its lock (docs/decisions/limits.md). */
import { type ActivityExecute, groupOfKey, later, levelsOf, ProviderError } from "@duroxide-ts/core/stores";
import type { Work } from "../memory/parts.ts";
import { RULE_FRESH_MS } from "../memory/waits.ts";
import { ask } from "./ask.ts";

/**
 * Called before the lock is renewed. Throws `unavailable` where the share does not last: the lock is renewed again soon,
 * or ends with it.
 */
export async function keepShare(work: Work, { limit: key }: ActivityExecute, lockMs: number): Promise<void> {
  if (key === undefined) return;
  const { permits } = work.memory;
  const nowMs = work.clock.now();
  const levels = new Set(levelsOf(key));
  const isKept = (level: string): boolean => {
    const { rule, untilMs = 0, readAtMs = 0 } = permits.get(level) ?? {};
    if (nowMs - readAtMs > RULE_FRESH_MS) return false;
    return rule?.concurrency === undefined || untilMs >= later(nowMs, lockMs);
  };
  if ([...levels].every(isKept)) return;
  await ask(work, { group: groupOfKey(key), levels, waiting: new Map(), fetches: 0, lockMs });
  if ([...levels].every(isKept)) return;
  const message = `the share of limit "${key}" is not extended; the same call may succeed later`;
  throw new ProviderError({ code: "unavailable", operation: work.operation, message });
}
