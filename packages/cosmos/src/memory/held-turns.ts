/** The turns of this process, and by instance those whose lock is not stored (leases/turn-without-lock.ts). */
import { Held, type TurnLease } from "./held.ts";

export class HeldTurns extends Held<TurnLease> {
  readonly #unwritten = new Map<string, TurnLease>();

  /** A turn without a lock in the store, also one whose time is over; not one whose messages were locked since. */
  unwritten(instanceId: string): TurnLease | undefined {
    return this.#unwritten.get(instanceId);
  }

  override set(turn: TurnLease): void {
    super.set(turn);
    if (turn.isUnwritten === true) this.#unwritten.set(turn.instanceId, turn);
    else this.#unwritten.delete(turn.instanceId);
  }

  override delete(secret: string): void {
    const turn = this.get(secret);
    super.delete(secret);
    if (turn !== undefined && this.#unwritten.get(turn.instanceId) === turn)
      this.#unwritten.delete(turn.instanceId);
  }
}
