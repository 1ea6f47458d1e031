/**
 * What of a queue a fetch looks at: the slots of its process first. What has waited in the slots of others for too long
 * is for everybody, so slots are a head start and no more: no row depends on who holds its slot, on what its holder
 * runs, or on whether it is alive. A fetch that finds enough in its own slots looks beyond them seldom.
 */

import type { SqlParameter } from "@azure/cosmos";
import type { Clock } from "@duroxide-ts/core";
import { DISPATCH_SLOTS } from "../../documents/dispatch-slot.ts";
import { LOOK_BEYOND_MS, TURN_LATE_MS } from "../../memory/waits.ts";
import { ALL_SLOTS, type SlotAssignment, type SlotGroup } from "./slot-assignment.ts";
import { roleOf } from "./turns.ts";

export interface PartOptions {
  readonly slots: SlotAssignment;
  readonly group: SlotGroup;
  readonly clock: Clock;
  /** How long what becomes visible is for the holder of its slot alone. */
  readonly headStartMs: number;
  /** The length of an interval in which processes take turns. */
  readonly intervalMs: number;
}

/** A condition on the rows of a queue, with its parameters; empty where it would hold for every row. */
export interface PartCondition {
  readonly text: string;
  readonly parameters: SqlParameter[];
}

/** Every row. */
export const EVERYTHING: PartCondition = { text: "", parameters: [] };

export class Part {
  readonly #options: PartOptions;
  #slots = ALL_SLOTS;
  /** There was something in the own slots when they were looked at last. */
  #isBusy = false;
  #beyondMs = 0;
  /** Physical partitions in which this process was the first to find something. */
  #open = new Set<string>();

  constructor(options: PartOptions) {
    this.#options = options;
  }

  /** Whether others serve slots of the group too. */
  get isShared(): boolean {
    return this.#slots.size < DISPATCH_SLOTS;
  }

  /** For the next question. `name` tells the parameters of several parts in one query apart. */
  condition(name = ""): PartCondition {
    const { slots, group, clock, headStartMs } = this.#options;
    this.#slots = slots.slotsOf(group);
    if (!this.isShared) return EVERYTHING;
    const nowMs = clock.now();
    const looksBeyond = !this.#isBusy || nowMs >= this.#beyondMs;
    if (looksBeyond) this.#beyondMs = nowMs + LOOK_BEYOND_MS;
    const own = { name: `@slots${name}`, value: [...this.#slots] };
    if (!looksBeyond) return { text: `ARRAY_CONTAINS(${own.name}, c.dispatchSlot)`, parameters: [own] };
    return this.#ownOrBefore(nowMs - headStartMs, name);
  }

  /** What the process finds in the partition is for it, whatever the slot: for its next question. */
  open(range: string): void {
    this.#open.add(range);
  }

  /**
   * The next question to each physical partition. The process that has the turn of a partition also asks for what a
   * process that is awake would have taken by now: the others may be idle, and ask elsewhere.
   */
  questions<Question>(
    toQuestion: (condition: PartCondition) => Question,
  ): (range: string, ranges: number) => Question {
    const own = toQuestion(this.condition());
    const open = this.#open;
    this.#open = new Set();
    if (!this.isShared) return () => own;
    const { slots, clock, intervalMs } = this.#options;
    const nowMs = clock.now();
    const team = slots.team();
    const interval = Math.floor(nowMs / intervalMs);
    let whole: Question | undefined;
    let inTurn: Question | undefined;
    return (range, ranges) => {
      if (open.has(range)) {
        whole ??= toQuestion(EVERYTHING);
        return whole;
      }
      if (roleOf(team, range, ranges, interval) !== "first") return own;
      inTurn ??= toQuestion(this.#ownOrBefore(nowMs - TURN_LATE_MS));
      return inTurn;
    };
  }

  #ownOrBefore(visibleMs: number, name = ""): PartCondition {
    const own = { name: `@slots${name}`, value: [...this.#slots] };
    const late = { name: `@late${name}`, value: visibleMs };
    return {
      text: `(ARRAY_CONTAINS(${own.name}, c.dispatchSlot) OR c.visibleAt <= ${late.name})`,
      parameters: [own, late],
    };
  }

  /** The rows of an answer in their order, those of the own slots first. */
  ownFirst<Row>(rows: readonly Row[], slotOf: (row: Row) => unknown): readonly Row[] {
    if (!this.isShared) return rows;
    const isOwn = (row: Row): boolean => this.#slots.has(Number(slotOf(row)));
    const own = rows.filter(isOwn);
    this.#isBusy = own.length > 0;
    return [...own, ...rows.filter((row) => !isOwn(row))];
  }
}
