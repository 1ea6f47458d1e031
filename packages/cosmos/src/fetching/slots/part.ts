/**
 * What of a queue a fetch looks at: the slots of its process first. What has waited in the slots of others for too long
 * is for everybody, so slots are a head start and no more: no row depends on who holds its slot, on what its holder
 * runs, or on whether it is alive. A fetch that finds enough in its own slots looks beyond them seldom.
 */

import type { SqlParameter } from "@azure/cosmos";
import type { Clock } from "@duroxide-ts/core";
import { DISPATCH_SLOTS } from "../../documents/dispatch-slot.ts";
import { LOOK_BEYOND_MS } from "../../memory/waits.ts";
import { ALL_SLOTS, type SlotAssignment, type SlotGroup } from "./slot-assignment.ts";

export interface PartOptions {
  readonly slots: SlotAssignment;
  readonly group: SlotGroup;
  readonly clock: Clock;
  /** How long what becomes visible is for the holder of its slot alone. */
  readonly headStartMs: number;
}

/** A condition on the rows of a queue, with its parameters; empty where it would hold for every row. */
export interface PartCondition {
  readonly text: string;
  readonly parameters: SqlParameter[];
}

export class Part {
  readonly #options: PartOptions;
  #slots = ALL_SLOTS;
  /** There was something in the own slots when they were looked at last. */
  #isBusy = false;
  #beyondMs = 0;

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
    if (!this.isShared) return { text: "", parameters: [] };
    const nowMs = clock.now();
    const looksBeyond = !this.#isBusy || nowMs >= this.#beyondMs;
    if (looksBeyond) this.#beyondMs = nowMs + LOOK_BEYOND_MS;
    const own = { name: `@slots${name}`, value: [...this.#slots] };
    if (!looksBeyond) return { text: `ARRAY_CONTAINS(${own.name}, c.dispatchSlot)`, parameters: [own] };
    const late = { name: `@late${name}`, value: nowMs - headStartMs };
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
