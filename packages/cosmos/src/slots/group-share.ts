/**
 * The slots of one group that this process serves: its own, those whose owner's lease has run out as far as is known
 * here, and for a while those that it had, until their new owner has seen that they are its own.
 */
import { DISPATCH_SLOTS } from "../schema/dispatch-slot.ts";
import type { Leases } from "./leases.ts";
import type { Owners } from "./rebalance.ts";

/** What a beat brought. */
export interface GroupState {
  readonly owners: Owners;
  readonly leases: Leases;
}

export class GroupShare {
  readonly #member: string;
  #state: GroupState;
  /** Slots that went to others, and until when they are served here too, ms since the epoch. */
  readonly #handedOver = new Map<number, number>();

  /** `before`: how the slots were divided until now. */
  constructor(member: string, before: Owners) {
    this.#member = member;
    this.#state = { owners: before, leases: new Map() };
  }

  adopt(state: GroupState, nowMs: number, handOverMs: number): void {
    const before = { owners: this.#state.owners, leases: state.leases };
    this.#state = state;
    for (let slot = 0; slot < DISPATCH_SLOTS; slot++) {
      if (state.owners[slot] === this.#member) this.#handedOver.delete(slot);
      else if (this.#isOurs(before, slot, nowMs)) this.#handedOver.set(slot, nowMs + handOverMs);
    }
  }

  slots(nowMs: number): ReadonlySet<number> {
    const slots = new Set<number>();
    for (let slot = 0; slot < DISPATCH_SLOTS; slot++) {
      if (this.#isOurs(this.#state, slot, nowMs) || (this.#handedOver.get(slot) ?? 0) > nowMs)
        slots.add(slot);
    }
    return slots;
  }

  #isOurs({ owners, leases }: GroupState, slot: number, nowMs: number): boolean {
    const owner = owners[slot];
    return owner === undefined || owner === this.#member || (leases.get(owner) ?? 0) <= nowMs;
  }
}
