/**
 * Limits on keys: what a store keeps of them, and the arithmetic that every store shares (docs/decisions/limits.md). A
 * key has up to two levels, `openai` and `openai/acme`; work of a second-level key counts at both.
 */
import type { Duration } from "./duration.ts";

/** The rule of a key, or of each key under a prefix (`openai/*`). It has at least one of the two. */
export interface LimitRule {
  /** The most activities and instances of the key that run at the same time. */
  readonly concurrency?: number;
  readonly rate?: LimitRate;
}

/** How many begin in a time: with a `burst` of 1, no period has more than `max` begins. */
export interface LimitRate {
  readonly max: number;
  /** The length of the period. */
  readonly per: Duration;
  /** How many may begin at once after a pause; 1 by default. A period then has at most `max + burst - 1` begins. */
  readonly burst?: number;
}

/** A rule as a store keeps it. */
export interface StoredLimit {
  readonly key: string;
  readonly rule: LimitRule;
  /** `rule.rate.per` in ms; 0 without a rate. */
  readonly perMs: number;
  /** The operator, if the caller named one. */
  readonly by?: string;
  readonly reason?: string;
  /** Ms since the epoch, by the clock of the store. */
  readonly changedAtMs: number;
}

/** Counts of what runs and waits under a key, second-level keys included. */
export interface LimitUse {
  readonly running: number;
  readonly waiting: number;
  /** How long the oldest has waited, ms; 0 if none waits. */
  readonly oldestWaitingMs: number;
}

/** A rule and what it holds back. */
export interface LimitState extends LimitUse {
  /** The rule of the key; that of its prefix (`openai/*`) if it has none. */
  readonly limit: StoredLimit | undefined;
}

/** A change of a rule. Without a `rule` the rule is removed. */
export interface LimitChange {
  readonly rule: LimitRule | undefined;
  readonly perMs: number;
  readonly by?: string;
  readonly reason?: string;
  /** Set for a rule of code, as text: nothing changes where code has stored the same text last. */
  readonly applied?: string;
}

/** The limits of a store. A store that has none leaves `Provider.limits` out. */
export interface ProviderLimits {
  /** Replaces the rule of a key. What waits obeys it from the commit on; what runs goes on. */
  setLimit(key: string, change: LimitChange): Promise<void>;
  /** The rules in the order of their keys, each with what runs and waits under it. */
  listLimits(): Promise<readonly LimitState[]>;
  /** Counts what runs and waits under a key, whether it has a rule or not. */
  readLimit(key: string): Promise<LimitState>;
  /** False where the process knows, without asking the store, that nothing runs or waits under a limit. */
  readonly mayHoldWork?: boolean;
}

/** The reason in lists and timelines. */
export function waitingFor(key: string): string {
  return `waiting for limit ${JSON.stringify(key)}`;
}

/** The priority of work without one; 1 goes first, 5 last. */
export const DEFAULT_PRIORITY = 3;
/** The priority of what goes last. */
export const LAST_PRIORITY = 5;

/** Work that has waited for so long goes before all other work of its key, ms. */
export const STARVATION_MS = 60_000;

/** The first level of a key. */
export function groupOfKey(key: string): string {
  const slash = key.indexOf("/");
  return slash < 0 ? key : key.slice(0, slash);
}

/** The levels of a key at which it counts, the key itself first. */
export function levelsOf(key: string): readonly string[] {
  const group = groupOfKey(key);
  return group === key ? [key] : [key, group];
}

/** The keys under which the rule of a level may stand, the one that counts first. */
export function ruleKeysOf(level: string): readonly string[] {
  const group = groupOfKey(level);
  return group === level ? [level] : [level, `${group}/*`];
}

/** Whether work of `key` is under the key of a rule. */
export function isUnder(key: string, ruleKey: string): boolean {
  if (ruleKey.endsWith("/*")) return key.length > ruleKey.length - 1 && key.startsWith(ruleKey.slice(0, -1));
  return key === ruleKey || key.startsWith(`${ruleKey}/`);
}

/** The earliest time at which another may begin, ms. */
export function nextSlotMs({ rate }: LimitRule, perMs: number, spentUntilMs: number): number {
  if (rate === undefined) return Number.NEGATIVE_INFINITY;
  const { max, burst = 1 } = rate;
  return Math.floor(spentUntilMs - ((burst - 1) * perMs) / max);
}

/** The state after a begin (GCRA: the generic cell rate algorithm). */
export function afterBegin({ rate }: LimitRule, perMs: number, spentUntilMs: number, nowMs: number): number {
  if (rate === undefined) return spentUntilMs;
  return Math.max(spentUntilMs, nowMs) + perMs / rate.max;
}

/** The rank of waiting work among that of other keys: its priority, or that of the first where it has waited too long. */
export function rankOf(priority: number, queuedAtMs: number, nowMs: number): number {
  return isOverdue(queuedAtMs, nowMs) ? 1 : priority;
}

/** Whether it goes before all others of its key. */
export function isOverdue(queuedAtMs: number, nowMs: number): boolean {
  return nowMs - queuedAtMs >= STARVATION_MS;
}
