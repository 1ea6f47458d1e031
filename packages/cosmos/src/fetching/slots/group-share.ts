/**
 * The slots of one group that this process serves: its own, those that nobody is known to have asked for throughout a
 * lease, and for a while those that it had, until their new owner can have seen that they are its own.
 */
import { DISPATCH_SLOTS } from "../../documents/dispatch-slot.ts";
import type { Leases } from "./leases.ts";
import type { Division } from "./rebalance.ts";

interface SlotState {
  /** Who was the last to ask for it, as far as is known here. */
  keeper: string | undefined;
  /** The end of the lease under which that was, ms since the epoch. */
  keptUntilMs: number;
  /** Until when it is served here although it is somebody else's. */
  handedOverMs: number;
}

export class GroupShare {
  readonly #member: string;
  #division: Division | undefined;
  readonly #slots: readonly SlotState[] = Array.from({ length: DISPATCH_SLOTS }, () => ({
    keeper: undefined,
    keptUntilMs: 0,
    handedOverMs: 0,
  }));

  constructor(member: string) {
    this.#member = member;
  }

  /** Of the division that it goes by. */
  get version(): number {
    return this.#division?.version ?? 0;
  }

  adopt(division: Division, leases: Leases, nowMs: number, handOverMs: number): void {
    const { owners: before } = this.#division ?? division;
    this.#division = division;
    for (const [slot, state] of this.#slots.entries()) {
      note(state, division.owners[slot], division.since[slot] ?? 0, leases);
      const former = before[slot];
      const isAbandoned = former === undefined || !leases.has(former);
      if (isAbandoned || former === this.#member) state.handedOverMs = nowMs + handOverMs;
    }
  }

  slots(nowMs: number): ReadonlySet<number> {
    const slots = new Set<number>();
    for (const [slot, { keptUntilMs, handedOverMs }] of this.#slots.entries()) {
      const isOwn = this.#division?.owners[slot] === this.#member;
      if (isOwn || keptUntilMs <= nowMs || handedOverMs > nowMs) slots.add(slot);
    }
    return slots;
  }
}

/**
 * An owner who has asked by a table in which the slot is its own is its keeper. Until then the former one is, as long
 * as it asks by an older table. Who owns a slot but may be dead must not hide that nobody asks for it.
 */
function note(state: SlotState, owner: string | undefined, since: number, leases: Leases): void {
  const ofOwner = owner === undefined ? undefined : leases.get(owner);
  if (ofOwner !== undefined && ofOwner.version >= since) state.keeper = owner;
  const ofKeeper = state.keeper === undefined ? undefined : leases.get(state.keeper);
  if (ofKeeper === undefined) return;
  if (state.keeper === owner || ofKeeper.version < since) {
    state.keptUntilMs = Math.max(state.keptUntilMs, ofKeeper.untilMs);
  }
}
