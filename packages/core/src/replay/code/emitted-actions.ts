/**
 * What the code has asked for and history has not taken up yet, in call order. Owned by LiveExecution, whose
 * invariants L2 and L3 it serves:
 *
 *   E1  Actions leave in the order in which the code made them, since history records them in that order. Only actions
 *       of a kind that may stand in any order, clears of keys, may overtake one another (runtime-semantics §1.5).
 *   E2  An action that does not fit its event stays: the replay kit shows it as what the code does instead.
 */
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { Content } from "../calls/content.ts";
import type { Action } from "../calls/durable-call.ts";
import type { CallKind } from "../calls/kind.ts";
import { ReplayFailure } from "../replay-failure.ts";
import { type CodeState, describeEvent, mismatch, stateOf } from "./mismatch.ts";

export class EmittedActions {
  readonly #actions: Action[] = [];

  add(action: Action): void {
    this.#actions.push(action);
  }

  /** The oldest one, for a new event. */
  takeOldest(): Action | undefined {
    return this.#actions.shift();
  }

  [Symbol.iterator](): Iterator<Action> {
    return this.#actions.values();
  }

  /**
   * The action that an event of history was written for; `kind` is the kind that the event records. `undefined` where
   * the event may stand there without the code asking for it again. Throws ReplayFailure where they do not fit;
   * the message then says how far the code has come.
   */
  takeMatching(
    event: HistoryEvent,
    kind: CallKind,
    codec: Pick<PayloadCodec, "decode">,
    state: CodeState,
  ): Action | undefined {
    const recorded = kind.recorded(event);
    const index = kind.anyOrder ? this.#indexOf(kind, recorded) : 0;
    const action = this.#actions[index];
    if (action === undefined) {
      if (kind.mayGoUnmatched) return undefined;
      throw ReplayFailure.nondeterminism(
        `history ${kind.unmatched} but no emitted action: ${stateOf(state)}, history has ${describeEvent(event, recorded)}`,
      );
    }
    const difference = mismatch(action, event, recorded, codec);
    if (difference !== undefined) throw ReplayFailure.nondeterminism(`${kind.mismatch}: ${difference}`);
    return this.#actions.splice(index, 1)[0];
  }

  /** Within the leading run of actions of this kind. */
  #indexOf(kind: CallKind, { name }: Content): number {
    for (const [index, action] of this.#actions.entries()) {
      if (action.kind !== kind) return 0;
      if (action.request.name === name) return index;
    }
    return 0;
  }
}
