/** The turns of this process, and by instance those whose lock is not stored (leases/remembered-turn.ts). */
import { Held, type RememberedTurn, type TurnLease } from "./held.ts";

export class HeldTurns extends Held<TurnLease> {
  readonly #remembered = new Map<string, RememberedTurn>();

  /** A turn without a lock in the store, also one whose time is over; not one whose messages were locked since. */
  remembered(instanceId: string): RememberedTurn | undefined {
    return this.#remembered.get(instanceId);
  }

  override set(turn: TurnLease): void {
    super.set(turn);
    if (turn.kind === "remembered") this.#remembered.set(turn.instanceId, turn);
    else this.#remembered.delete(turn.instanceId);
  }

  override delete(secret: string): void {
    const turn = this.get(secret);
    super.delete(secret);
    if (turn !== undefined && this.#remembered.get(turn.instanceId) === turn)
      this.#remembered.delete(turn.instanceId);
  }
}
