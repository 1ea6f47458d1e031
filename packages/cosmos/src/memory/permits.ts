/**
 * The permits that this process has, and those that are in use (docs/decisions/limits.md). No I/O: limits/shares.ts changes
 * the shares.
 *
 * - permits.P1: An activity begins only while each level of its key that has a rule was read lately, has a permit left in
 *   the share of this process, and keeps the share for as long as the lock.
 * - permits.P2: A permit is in use from before the request for the lock until the lock has ended in the store, or was
 *   not taken. Where that is not known, until the end of the lock.
 */
import { groupOfKey, invariant, type LimitRule, levelsOf } from "@duroxide-ts/core/stores";
import { NO_LIMIT } from "../documents/ranked.ts";
import { RULE_FRESH_MS } from "./waits.ts";

/** The slots of a rate that this process has reserved. */
export interface Slots {
  /** The next one, ms since the epoch; a burst may come before it. */
  readonly nextMs: number;
  /** The end of what is reserved. */
  readonly endMs: number;
}

/** A level, as this process has read and written it last. */
export interface Level {
  readonly rule: LimitRule | undefined;
  readonly perMs: number;
  readonly readAtMs: number;
  /** How many may run here at the same time. */
  readonly permits: number;
  /** The end of the share. */
  readonly untilMs: number;
  /** The slots that are reserved, the earlier ones first. */
  readonly slots: readonly Slots[];
  /** The time to ask for more permits. */
  readonly askAtMs: number;
  /** How many slots to reserve next. */
  readonly block: number;
  /** The last begin. */
  readonly beganAtMs: number;
}

interface Gate {
  readonly opensAtMs: number;
  readonly askAtMs: number;
}

const NEVER: number = Number.POSITIVE_INFINITY;

/** The levels that may hold work of a key back. */
function gatesOf(key: string): readonly string[] {
  return key === NO_LIMIT ? [] : levelsOf(key);
}

interface InUse {
  readonly key: string;
  readonly untilMs: number;
  /** Slots before and after the begin, by level. */
  readonly spent: ReadonlyMap<string, readonly [before: Slots, after: Slots]>;
}

/** Slots are reserved anew when they last no longer, ms. */
const LOW_SLOTS_MS = 500;

/** How late a begin may be without losing its slot; slots lie further apart by as much in each period. */
export function latenessMs(perMs: number): number {
  return Math.min(perMs * 0.04, 40);
}

/** The time from one slot to the next. */
export function slotMs({ rate }: LimitRule, perMs: number): number {
  return rate === undefined ? 0 : (perMs + latenessMs(perMs)) / rate.max;
}

/** The slots of a level that are neither used up nor missed. */
export function slotsLeft({ slots, perMs }: Pick<Level, "slots" | "perMs">, nowMs: number): readonly Slots[] {
  return slots.filter(({ nextMs, endMs }) => Math.max(nextMs, nowMs - latenessMs(perMs)) < endMs);
}

export class Permits {
  readonly #levels = new Map<string, Level>();
  /** The permits in use, by the rows of the activities. */
  readonly #inUse = new Map<string, InUse>();
  /** Permits in use, by level. */
  readonly #counts = new Map<string, number>();
  #firstEndMs: number = NEVER;
  /** The groups that could not be asked, and until when they are left alone. */
  readonly #paused = new Map<string, number>();
  readonly #acting = new Map<string, Promise<void>>();
  /** How often this process has changed rules. */
  changes = 0;
  readonly #onEnd: () => void;

  readonly #newName: () => string;
  #process: string | undefined;

  /** `onEnd` is called when a permit has ended; `newName` makes the name of this process in the documents. */
  constructor(newName: () => string, onEnd: () => void) {
    this.#newName = newName;
    this.#onEnd = onEnd;
  }

  get process(): string {
    this.#process ??= this.#newName();
    return this.#process;
  }

  /** Calls `act` when the earlier calls for the group are done. */
  async inTurn(group: string, act: () => Promise<void>): Promise<void> {
    const acting = (this.#acting.get(group) ?? Promise.resolve()).then(act);
    const settled = acting.catch(() => {});
    this.#acting.set(group, settled);
    await acting.finally(() => {
      if (this.#acting.get(group) === settled) this.#acting.delete(group);
    });
  }

  /** Groups are asked again after a while. */
  pause(group: string, untilMs: number): void {
    this.#paused.set(group, untilMs);
  }

  get(level: string): Level | undefined {
    return this.#levels.get(level);
  }

  set(level: string, state: Level): void {
    this.#levels.set(level, state);
  }

  /** The levels that this process has read. */
  levels(): readonly string[] {
    return [...this.#levels.keys()];
  }

  /** The rule of a key has changed: what it may concern is read again before the next begin. */
  readAgain(ruleKey: string): void {
    this.changes++;
    const group = groupOfKey(ruleKey);
    for (const [level, state] of this.#levels)
      if (groupOfKey(level) === group)
        this.#levels.set(level, { ...state, readAtMs: Number.NEGATIVE_INFINITY });
  }

  /** How many of this process run under a level. */
  running(level: string, nowMs: number): number {
    if (this.#firstEndMs <= nowMs) this.#dropEnded(nowMs);
    return this.#counts.get(level) ?? 0;
  }

  #dropEnded(nowMs: number): void {
    this.#firstEndMs = NEVER;
    for (const [row, { untilMs }] of this.#inUse) {
      if (untilMs <= nowMs) this.#drop(row);
      else this.#firstEndMs = Math.min(this.#firstEndMs, untilMs);
    }
  }

  #add(row: string, use: InUse): void {
    this.#drop(row);
    this.#inUse.set(row, use);
    this.#firstEndMs = Math.min(this.#firstEndMs, use.untilMs);
    for (const level of levelsOf(use.key)) this.#counts.set(level, (this.#counts.get(level) ?? 0) + 1);
  }

  #drop(row: string): boolean {
    const use = this.#inUse.get(row);
    if (use === undefined) return false;
    this.#inUse.delete(row);
    for (const level of levelsOf(use.key)) {
      const count = (this.#counts.get(level) ?? 0) - 1;
      invariant(count >= 0, "permits.P2");
      if (count === 0) this.#counts.delete(level);
      else this.#counts.set(level, count);
    }
    return true;
  }

  /** The time at which another of the key may begin with such a lock, ms since the epoch; infinite if it is not known. */
  opensAtMs(key: string, lockedUntilMs: number, nowMs: number): number {
    return Math.max(nowMs, ...gatesOf(key).map((level) => this.#gate(level, lockedUntilMs, nowMs).opensAtMs));
  }

  /** The time to read the levels of a key, or to ask for more; infinite where a slot is known to come. */
  askAtMs(key: string, lockedUntilMs: number, nowMs: number): number {
    const gates = gatesOf(key).map((level) => this.#gate(level, lockedUntilMs, nowMs));
    const closed = gates.filter(({ opensAtMs }) => opensAtMs === NEVER).map((gate) => gate.askAtMs);
    // Nothing is gained where one level is read while another one is used up.
    const askAtMs = closed.length === 0 ? NEVER : Math.max(...closed);
    return Math.max(askAtMs, this.#paused.get(groupOfKey(key)) ?? 0);
  }

  #gate(level: string, lockedUntilMs: number, nowMs: number): Gate {
    const state = this.#levels.get(level);
    if (state === undefined || nowMs - state.readAtMs > RULE_FRESH_MS)
      return { opensAtMs: NEVER, askAtMs: nowMs };
    const { rule, perMs } = state;
    if (rule?.concurrency !== undefined) {
      if (this.running(level, nowMs) >= state.permits) return { opensAtMs: NEVER, askAtMs: state.askAtMs };
      if (state.untilMs < lockedUntilMs) return { opensAtMs: NEVER, askAtMs: nowMs };
    }
    if (rule?.rate === undefined) return { opensAtMs: nowMs, askAtMs: NEVER };
    const [slots] = slotsLeft(state, nowMs);
    if (slots === undefined) return { opensAtMs: NEVER, askAtMs: nowMs };
    const earlyMs = ((rule.rate.burst ?? 1) - 1) * slotMs(rule, perMs);
    return { opensAtMs: Math.ceil(slots.nextMs - earlyMs), askAtMs: NEVER };
  }

  /** Whether the levels of a key are to be read before they are stale, or slots are to be reserved before none is left. */
  ages(key: string, nowMs: number): boolean {
    return gatesOf(key).some((level) => {
      const state = this.#levels.get(level);
      if (state === undefined) return false;
      if (nowMs - state.readAtMs > 0.7 * RULE_FRESH_MS) return true;
      const isLow = (slotsLeft(state, nowMs).at(-1)?.endMs ?? 0) - nowMs < LOW_SLOTS_MS;
      return state.rule?.rate !== undefined && isLow && nowMs - state.readAtMs > LOW_SLOTS_MS / 2;
    });
  }

  /** permits.P1 and permits.P2: false if the activity may not begin. */
  begin(row: string, key: string, lockedUntilMs: number, nowMs: number): boolean {
    if (this.opensAtMs(key, lockedUntilMs, nowMs) > nowMs) return false;
    if (key === NO_LIMIT) return true;
    const spent = new Map<string, readonly [Slots, Slots]>();
    for (const level of levelsOf(key)) {
      const slots = this.#began(level, nowMs);
      if (slots !== undefined) spent.set(level, slots);
    }
    this.#add(row, { key, untilMs: lockedUntilMs, spent });
    return true;
  }

  /** Another process had locked it before: nothing has begun, and the slot is free for another. */
  undo(row: string): void {
    for (const [level, [before, after]] of this.#inUse.get(row)?.spent ?? []) {
      const state = this.#levels.get(level);
      if (state === undefined || state.slots[0] !== after) continue;
      this.#levels.set(level, { ...state, slots: [before, ...state.slots.slice(1)] });
    }
    this.end(row);
  }

  /**
   * Returns the slots before and after. A slot that was missed by more than the lateness is lost, and so are those before
   * it.
   */
  #began(level: string, nowMs: number): readonly [Slots, Slots] | undefined {
    const state = this.#levels.get(level);
    if (state === undefined) return undefined;
    const { rule, perMs } = state;
    const [slots, ...others] = slotsLeft(state, nowMs);
    if (rule?.rate === undefined || slots === undefined) {
      this.#levels.set(level, { ...state, beganAtMs: nowMs });
      return undefined;
    }
    const fromMs = nowMs - slots.nextMs > latenessMs(perMs) ? nowMs : slots.nextMs;
    const after = { ...slots, nextMs: fromMs + slotMs(rule, perMs) };
    this.#levels.set(level, { ...state, beganAtMs: nowMs, slots: [after, ...others] });
    return [slots, after];
  }

  /** The lock of an activity lasts until another time. */
  extended(row: string, lockedUntilMs: number): void {
    const held = this.#inUse.get(row);
    if (held !== undefined) this.#add(row, { ...held, untilMs: lockedUntilMs });
  }

  end(row: string): void {
    if (this.#drop(row)) this.#onEnd();
  }
}
