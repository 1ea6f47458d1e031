/**
 * The place of ranked rows, which have a limit or a priority (docs/decisions/limits.md). Their `visibleAt` is beyond all
 * times and says key and priority, so that neither searches for other work nor Rust meet them, and those for ranked rows
 * find the rows of one key and one priority side by side. `lockedUntil` is the end of the lock, or of a delay.
 */
import { createHash } from "node:crypto";
import {
  type ActivityExecute,
  DEFAULT_PRIORITY,
  groupOfKey,
  LAST_PRIORITY,
  saturatedNumber,
} from "@duroxide-ts/core/stores";

/** A first level has 2^24 keys, each of which has 8 places for priorities; there are 2^20 first levels. */
const PRIORITIES = 8;
const KEYS = 2 ** 24;
const GROUPS = 2 ** 20;

/** The places of all ranked rows: from the first one, before the second one. Times that nobody reaches. */
export const RANKED_FROM = 1_000_000_000_000_000;
export const RANKED_TO: number = RANKED_FROM + GROUPS * KEYS * PRIORITIES;

/** The key of rows that have a priority only. */
export const NO_LIMIT = "";

export function isRankedAt(visibleAt: unknown): boolean {
  return typeof visibleAt === "number" && visibleAt >= RANKED_FROM && visibleAt < RANKED_TO;
}

/** Its key and its priority; undefined for an activity whose place is that of its age alone. */
export function rankedBy(item: ActivityExecute): Ranked | undefined {
  const { limit } = item;
  const priority = item.priority === undefined ? DEFAULT_PRIORITY : saturatedNumber(item.priority);
  if (limit === undefined && priority === DEFAULT_PRIORITY) return undefined;
  return { key: limit ?? NO_LIMIT, priority: Math.min(Math.max(1, priority), LAST_PRIORITY) };
}

export interface Ranked {
  readonly key: string;
  readonly priority: number;
}

export function rankedAt({ key, priority }: Ranked): number {
  return firstPlaceOf(key) + priority;
}

/** The places of the rows under the key of a rule: from the first one, before the second one. */
export function placesUnder(ruleKey: string): readonly [from: number, to: number] {
  const group = groupOfKey(ruleKey);
  const [first, behind] = [firstPlaceOf(group), firstPlaceOf(group) + KEYS * PRIORITIES];
  if (ruleKey === group) return [first, behind];
  if (ruleKey.endsWith("/*")) return [first + PRIORITIES, behind];
  const own = firstPlaceOf(ruleKey);
  return [own, own + PRIORITIES];
}

/** Rows without a limit come first, and those of a first level before those of the keys under it. */
function firstPlaceOf(key: string): number {
  if (key === NO_LIMIT) return RANKED_FROM;
  const group = groupOfKey(key);
  const ofGroup = 1 + (hashOf(group) % (GROUPS - 1));
  const ofKey = group === key ? 0 : 1 + (hashOf(key) % (KEYS - 1));
  return RANKED_FROM + (ofGroup * KEYS + ofKey) * PRIORITIES;
}

function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}
