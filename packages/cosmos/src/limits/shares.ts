/**
 * The arithmetic of shares (docs/decisions/limits.md): how the permits of a level are divided between processes.
 *
 * - shares.S1: The permits of all shares that have not ended are never more than the rule allows, except where a rule has
 *   been lowered: a process keeps what it runs.
 * - shares.S2: Each process writes its own share only, and drops those of others that have ended.
 */
import { type LimitRule, slotMs } from "@duroxide-ts/core/stores";
import type { Share, Use } from "../documents/limit-documents.ts";
import type { Slots } from "../memory/rate-slots.ts";
import { SHARE_SKEW_MS, WANTED_MS } from "../memory/waits.ts";

/** The permits that a process asks for. */
export interface Demand {
  readonly process: string;
  readonly running: number;
  /** Running included. */
  readonly wants: number;
  /** The end of the locks that it is about to write. */
  readonly lockedUntilMs: number;
  readonly nowMs: number;
}

export interface Divided {
  readonly use: Use;
  readonly share: Share | undefined;
  /** How many may run here: less than the share where it is to shrink. */
  readonly most: number;
  /** Whether another request may bring more: now, when others have given back, or when something else changes. */
  readonly more: "now" | "soon" | "later";
}

/** The use of the level with the share of this process as it may be now. */
export function divided(use: Use, ofAll: number, demand: Demand): Divided {
  const concurrency = Math.max(0, ofAll - (use.instances ?? 0));
  const { process, running, nowMs, lockedUntilMs } = demand;
  const others = Object.entries(use.shares).filter(
    ([other, { untilMs }]) => other !== process && untilMs + SHARE_SKEW_MS > nowMs,
  );
  const wants = Math.min(demand.wants, concurrency);
  const taken = others.reduce((sum, [, { permits }]) => sum + permits, 0);
  if (wants === 0 && running === 0)
    return { use: { ...use, shares: Object.fromEntries(others) }, share: undefined, most: 0, more: "now" };
  const part = fairPart(concurrency, process, wants, others);
  const most = Math.min(part, Math.max(0, concurrency - taken));
  const permits = Math.max(running, most);
  const before = use.shares[process];
  const untilMs = permits === 0 ? nowMs + WANTED_MS : Math.max(lockedUntilMs, before?.untilMs ?? 0);
  const share = { permits, wants, untilMs };
  const isAll = part < wants || wants === concurrency;
  return {
    use: { ...use, shares: { ...Object.fromEntries(others), [process]: share } },
    share,
    most,
    more: most < part ? "soon" : isAll ? "later" : "now",
  };
}

/** The part of one process, where all get the same, but none more than it wants. */
function fairPart(
  concurrency: number,
  process: string,
  wants: number,
  others: readonly (readonly [string, Share])[],
): number {
  const all = [...others.map(([name, share]) => ({ name, wants: share.wants })), { name: process, wants }];
  all.sort((a, b) => a.wants - b.wants || (a.name < b.name ? -1 : 1));
  let left = concurrency;
  for (const [index, each] of all.entries()) {
    const part = Math.min(each.wants, Math.ceil(left / (all.length - index)));
    if (each.name === process) return part;
    left -= part;
  }
  return 0;
}

/** Permits that neither a process nor an instance has. */
export function freeIn({ shares, instances = 0 }: Use, concurrency: number, nowMs: number): number {
  const alive = Object.values(shares).filter(({ untilMs }) => untilMs + SHARE_SKEW_MS > nowMs);
  return alive.reduce((free, { permits }) => free - permits, concurrency - instances);
}

/** A rate as text, by which a document shows that its slots are of another one. */
export function rateText({ rule, perMs }: RateRule): string {
  return `${rule.rate?.max} in ${perMs} ms`;
}

export interface RateRule {
  readonly rule: LimitRule;
  readonly perMs: number;
}

export interface Reserved {
  readonly use: Use;
  readonly slots: Slots;
}

/** Reserves slots of a rate, from the first free one on. */
export function reserved(use: Use, limit: RateRule, count: number, fromMs: number): Reserved {
  const everyMs = slotMs(limit.rule, limit.perMs);
  const rate = rateText(limit);
  const nextMs = Math.max(spentUntilMs(use, limit, fromMs), fromMs);
  const endMs = nextMs + count * everyMs;
  return { use: { ...use, spentUntilMs: endMs, rate }, slots: { nextMs, endMs } };
}

/** The time until which the rate is used up. Slots that were reserved by another rate may lie far ahead. */
export function spentUntilMs({ rate, spentUntilMs: spent = 0 }: Use, limit: RateRule, nowMs: number): number {
  return rate === rateText(limit) ? spent : Math.min(spent, nowMs + slotMs(limit.rule, limit.perMs));
}
