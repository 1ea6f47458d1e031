/**
 * The permits that this process has, and those that are in use (docs/decisions/limits.md). No I/O: limits/shares.ts changes
 * the shares.
 *
 * - permits.P1: An activity begins only while each level of its key that has a rule was read lately, has a permit left in
 *   the share of this process, and keeps the share for as long as the lock.
 * - permits.P2: A permit is in use from before the request for the lock until the lock has ended in the store, or was
 *   not taken. Where that is not known, until the end of the lock.
 */
import { Delay, earlyMs, groupOfKey, invariant, levelsOf } from "@duroxide-ts/core/stores";
import { NO_LIMIT } from "../documents/ranked.ts";
import { LastReads } from "./last-reads.ts";
import { nextSlot, type Rate, type Slot, slotsLeft, withoutSlot } from "./rate-slots.ts";
import { ASK_FOR_PERMITS_MS, LONGEST_SLOT_WAIT_MS, RULE_FRESH_MS } from "./waits.ts";

/** A level, as this process has read and written it last. */
export interface Level extends Rate {
  /** The time at which its documents were read, ms since the epoch. */
  readonly readAtMs: number;
  /** The time of the last request, which may have been a write without a read. */
  readonly askedAtMs: number;
  /** How many may run here at the same time. */
  readonly permits: number;
  /** Permits of this process in the document: more than may run where others want some of them. */
  readonly share: number;
  /** The end of the share. */
  readonly untilMs: number;
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

/** The time to ask again where all permits are in use; at once to give others what they want and nothing here uses. */
function askAtMs({ askAtMs: nextMs, askedAtMs, permits, share }: Level, running: number): number {
  if (share <= Math.max(permits, running)) return nextMs;
  return Math.min(nextMs, running <= permits ? 0 : askedAtMs + ASK_FOR_PERMITS_MS);
}

/** The levels that may hold work of a key back. */
function gatesOf(key: string): readonly string[] {
  return key === NO_LIMIT ? [] : levelsOf(key);
}

interface InUse {
  readonly key: string;
  readonly untilMs: number;
  /** The slots of the begin, by level. */
  readonly slots: Map<string, Slot>;
  /** The time at which they were taken, ms since the epoch. */
  readonly takenAtMs: number;
}

/** Slots are reserved anew when they last no longer, ms. */
const LOW_SLOTS_MS = 500;

export class Permits {
  readonly reads: LastReads = new LastReads();
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
  /** Time from the request for a lock to the call of the handler. */
  readonly #beginning = new Delay();
  /** Time of a request for slots. */
  readonly asking: Delay = new Delay();

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
      const running = this.running(level, nowMs);
      if (running >= state.permits) return { opensAtMs: NEVER, askAtMs: askAtMs(state, running) };
      if (state.untilMs < lockedUntilMs) return { opensAtMs: NEVER, askAtMs: nowMs };
    }
    if (rule?.rate === undefined) return { opensAtMs: nowMs, askAtMs: NEVER };
    const [part] = slotsLeft(state, nowMs + this.leadMs);
    if (part === undefined) return { opensAtMs: NEVER, askAtMs: nowMs };
    return { opensAtMs: Math.ceil(part.nextMs - earlyMs(rule, perMs) - this.leadMs), askAtMs: NEVER };
  }

  /** How long before its slot a begin is prepared, ms. */
  get leadMs(): number {
    return this.#beginning.expectedMs;
  }

  /** Whether the levels of a key are to be read before they are stale, or slots are to be reserved before none is left. */
  ages(key: string, nowMs: number): boolean {
    return gatesOf(key).some((level) => {
      const state = this.#levels.get(level);
      if (state === undefined) return false;
      if (nowMs - state.readAtMs > 0.85 * RULE_FRESH_MS) return true;
      const isLow = this.slotsEndMs(state, nowMs) - nowMs < LOW_SLOTS_MS;
      return state.rule?.rate !== undefined && isLow && nowMs - state.askedAtMs > LOW_SLOTS_MS / 2;
    });
  }

  /** The end of the slots that are left, ms since the epoch; 0 where none are. */
  slotsEndMs(rate: Rate, nowMs: number): number {
    return slotsLeft(rate, nowMs + this.leadMs).at(-1)?.endMs ?? 0;
  }

  /** permits.P1 and permits.P2: false if the activity may not begin. */
  begin(row: string, key: string, lockedUntilMs: number, nowMs: number): boolean {
    if (this.opensAtMs(key, lockedUntilMs, nowMs) > nowMs) return false;
    if (key === NO_LIMIT) return true;
    const slots = new Map<string, Slot>();
    for (const level of levelsOf(key)) {
      const slot = this.#takeSlot(level, nowMs + this.leadMs);
      if (slot !== undefined) slots.set(level, slot);
      const state = this.#levels.get(level);
      if (state !== undefined) this.#levels.set(level, { ...state, beganAtMs: nowMs });
    }
    this.#add(row, { key, untilMs: lockedUntilMs, slots, takenAtMs: nowMs });
    return true;
  }

  /** `FetchedWork.begin` of a row that was locked; undefined where no rate counts. */
  beginOf(row: string, now: () => number): (() => number | undefined) | undefined {
    const use = this.#inUse.get(row);
    if (use === undefined || use.slots.size === 0) return undefined;
    let isMeasured = false;
    return () => {
      const nowMs = now();
      if (!isMeasured) this.#beginning.measured(nowMs - use.takenAtMs);
      isMeasured = true;
      return this.#waitMs(use, nowMs);
    };
  }

  /** A slot that was missed is lost (rate-slots.RS1). */
  #waitMs({ slots }: InUse, nowMs: number): number | undefined {
    let beginMs = nowMs;
    for (const [level, missed] of slots) {
      const slot = nowMs > missed.untilMs ? this.#takeSlot(level, nowMs) : missed;
      if (slot === undefined) return undefined;
      slots.set(level, slot);
      beginMs = Math.max(beginMs, slot.fromMs);
    }
    return beginMs - nowMs > LONGEST_SLOT_WAIT_MS ? undefined : beginMs - nowMs;
  }

  /** Another process had locked it before: nothing has begun, and the slot is free for another. */
  undo(row: string): void {
    for (const [level, slot] of this.#inUse.get(row)?.slots ?? []) {
      const state = this.#levels.get(level);
      if (state !== undefined) this.#levels.set(level, { ...state, slots: withoutSlot(state, slot) });
    }
    this.end(row);
  }

  #takeSlot(level: string, beginAtMs: number): Slot | undefined {
    const state = this.#levels.get(level);
    const next = state && nextSlot(state, beginAtMs);
    if (state !== undefined && next !== undefined) this.#levels.set(level, { ...state, slots: next.slots });
    return next?.slot;
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
