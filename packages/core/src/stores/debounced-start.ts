/** Starts that are held back until no further one of their id comes (docs/decisions/limits.md). */
import type { StartInstanceOptions } from "../contract/provider.ts";
import { saturatedNumber } from "../wire/integer.ts";
import type { OrchestratorItem, WorkItemOf } from "../wire/work-item.ts";

type Start = WorkItemOf<"StartOrchestration">;

/** A start as it is stored, and the time at which it is due, ms since the epoch. */
export interface HeldStart {
  readonly item: Start;
  readonly dueAtMs: number;
}

/** `sinceMs` is that of the start whose place it takes; without one it is the first. */
export function heldStart(
  start: Start,
  ifExists: StartInstanceOptions["ifExists"],
  { waitMs, maxMs = Number.POSITIVE_INFINITY }: NonNullable<StartInstanceOptions["debounce"]>,
  sinceMs: number | undefined,
  nowMs: number,
): HeldStart {
  const firstMs = sinceMs ?? nowMs;
  const dueAtMs = Math.min(
    Math.max(nowMs, Math.min(nowMs + waitMs, firstMs + maxMs)),
    Number.MAX_SAFE_INTEGER,
  );
  const item = { ...start, start_at_ms: dueAtMs, debounced_since_ms: firstMs, if_exists: ifExists };
  return { item, dueAtMs };
}

/** The time of the first start that the item stands for; `undefined` where it was not debounced. */
export function debouncedSinceMs(item: OrchestratorItem): number | undefined {
  if (item.kind !== "StartOrchestration" || item.debounced_since_ms === undefined) return undefined;
  return saturatedNumber(item.debounced_since_ms);
}

/** The start among due messages that restarts an instance which has ended; it begins one of its own then. */
export function restartIn(messages: readonly OrchestratorItem[]): Start | undefined {
  for (const message of messages) {
    if (message.kind !== "StartOrchestration" || message.if_exists !== "restart") continue;
    const { if_exists: _, ...start } = message;
    return start;
  }
  return undefined;
}
