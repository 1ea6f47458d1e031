/**
 * The slots of a rate that this process has reserved, and those that its begins have (docs/decisions/limits.md).
 *
 * - rate-slots.RS1: A begin has a slot of each of its levels, and no other has it. It is called in it (begins.B1 of core),
 *   or takes another one.
 * - rate-slots.RS2: The slots of a process lie in what it has reserved, so that its last one is as far from the first one
 *   of the next process as from its own.
 */
import { earlyMs, type LimitRule, latenessMs, slotMs } from "@duroxide-ts/core/stores";

/** A part of the time that was reserved. */
export interface Slots {
  /** The next one, ms since the epoch; a burst may come before it. */
  readonly nextMs: number;
  readonly endMs: number;
}

/** The slots of one level, the earlier ones first. */
export interface Rate {
  readonly rule: LimitRule | undefined;
  readonly perMs: number;
  readonly slots: readonly Slots[];
}

/** The slot of a begin. */
export interface Slot {
  /** The handler is called from this time on, … */
  readonly fromMs: number;
  /** … and not later, ms since the epoch. */
  readonly untilMs: number;
  readonly before: Slots;
  readonly after: Slots;
}

/** Slots are added up as fractions of a ms, and begins are whole ones. */
const ROUNDING_MS = 0.01;

/** The part of the lateness that slots of the past may have; the rest is left for what takes longer than expected. */
const PAST = 0.75;

/** The parts with a slot for a begin at some time. */
export function slotsLeft({ rule, perMs, slots }: Rate, beginAtMs: number): readonly Slots[] {
  if (rule?.rate === undefined) return [];
  const everyMs = slotMs(rule, perMs);
  return slots.filter((part) => slotIn(part, perMs, beginAtMs) + everyMs <= part.endMs + ROUNDING_MS);
}

function slotIn({ nextMs }: Slots, perMs: number, beginAtMs: number): number {
  return Math.max(nextMs, beginAtMs - PAST * latenessMs(perMs));
}

/** The first slot for a begin at some time, and what is left without it (rate-slots.RS2). */
export function nextSlot(
  rate: Rate,
  beginAtMs: number,
): { readonly slot: Slot; readonly slots: readonly Slots[] } | undefined {
  const { rule, perMs } = rate;
  const [before, ...others] = slotsLeft(rate, beginAtMs);
  if (rule === undefined || before === undefined) return undefined;
  const atMs = slotIn(before, perMs, beginAtMs);
  const after = { ...before, nextMs: atMs + slotMs(rule, perMs) };
  const slot = {
    fromMs: Math.ceil(atMs - earlyMs(rule, perMs)),
    untilMs: atMs + latenessMs(perMs),
    before,
    after,
  };
  return { slot, slots: [after, ...others] };
}

/** Returns the slot of a begin that was none, unless slots after it are taken already. */
export function withoutSlot({ slots }: Rate, { before, after }: Slot): readonly Slots[] {
  return slots[0] === after ? [before, ...slots.slice(1)] : slots;
}
