/**
 * The activity that goes first (docs/decisions/limits.md): of those that their limits let begin, by rank, then the one
 * whose key was served longest ago. Rows without a limit are a key of their own, which comes by age.
 */
import { DEFAULT_PRIORITY, isOverdue, rankOf } from "../../../contract/limits.ts";
import type { ActivityRow, Store } from "../store.ts";
import { opensAtMs, spend } from "./permits.ts";

/** Whether its place is not that of its age alone. */
export function isRanked({ limit, priority }: ActivityRow): boolean {
  return limit !== undefined || priority !== DEFAULT_PRIORITY;
}

/** `rows` are eligible but for their limits, oldest first. */
export function nextActivity(
  store: Store,
  rows: readonly ActivityRow[],
  nowMs: number,
): ActivityRow | undefined {
  const limited = [...byKey(rows)]
    .filter(([key]) => opensAtMs(store, key, nowMs) <= nowMs)
    .map(([, waiting]) => headOf(waiting, nowMs))
    .sort((a, b) => rank(a, nowMs) - rank(b, nowMs) || turnOf(store, a) - turnOf(store, b));
  const unlimited = rows.filter(({ limit }) => limit === undefined);
  const free = unlimited.length === 0 ? undefined : headOf(unlimited, nowMs);
  const first = limited[0];
  if (first === undefined || free === undefined) return first ?? free;
  const order = rank(first, nowMs) - rank(free, nowMs) || rows.indexOf(first) - rows.indexOf(free);
  return order < 0 ? first : free;
}

/** Called when the activity is locked: it counts as a begin of its key, whose turn is over. */
export function noteBegin(store: Store, { limit }: ActivityRow, nowMs: number): void {
  if (limit === undefined) return;
  spend(store, limit, nowMs);
  store.turns.set(limit, ++store.lastTurn);
}

function byKey(rows: readonly ActivityRow[]): ReadonlyMap<string, readonly ActivityRow[]> {
  const groups = new Map<string, ActivityRow[]>();
  for (const row of rows) {
    if (row.limit === undefined) continue;
    const group = groups.get(row.limit);
    if (group === undefined) groups.set(row.limit, [row]);
    else group.push(row);
  }
  return groups;
}

/** The first of one key: the one that has waited too long, else the first of the highest priority. */
function headOf(waiting: readonly ActivityRow[], nowMs: number): ActivityRow {
  const [oldest] = waiting;
  if (oldest !== undefined && isOverdue(oldest.queuedAtMs, nowMs)) return oldest;
  return waiting.reduce((first, row) => (row.priority < first.priority ? row : first));
}

function rank({ priority, queuedAtMs }: ActivityRow, nowMs: number): number {
  return rankOf(priority, queuedAtMs, nowMs);
}

function turnOf(store: Store, { limit = "" }: ActivityRow): number {
  return store.turns.get(limit) ?? 0;
}
