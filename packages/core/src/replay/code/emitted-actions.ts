/** What the code has asked for and history has not taken up yet, in call order (invariants L2, L3). */
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { type Action, type ActionEvent, mayGoUnmatched } from "../calls/action.ts";
import { ReplayFailure } from "../replay-failure.ts";
import { describeEvent, mismatch } from "./mismatch.ts";

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
   * The action that an event of history was written for. `undefined` where the event may stand there without the
   * code asking for it again; throws where they do not fit. `state` says what the code does when it asks for nothing.
   */
  takeMatching(
    event: ActionEvent,
    codec: Pick<PayloadCodec, "decode">,
    state: () => string,
  ): Action | undefined {
    if (this.#actions.length === 0) {
      if (mayGoUnmatched(event)) return undefined;
      const what = event.type === "OrchestrationChained" ? event.type : "schedule";
      throw ReplayFailure.nondeterminism(
        `history ${what} but no emitted action: ${state()}, history has ${describeEvent(event)}`,
      );
    }
    const index = event.type === "KeyValueCleared" ? this.#indexOfClear(event.key) : 0;
    const action = this.#actions[index];
    const difference = action === undefined ? "nothing" : mismatch(action, event, codec);
    if (difference === undefined) return this.#actions.splice(index, 1)[0];
    throw ReplayFailure.nondeterminism(
      `${MISMATCH_PREFIX[event.type] ?? "schedule mismatch"}: ${difference}`,
    );
  }

  /** Clears may stand in history in another order than the code makes them (runtime-semantics §1.5). */
  #indexOfClear(key: string): number {
    for (const [index, action] of this.#actions.entries()) {
      if (action.kind !== "kv-clear") return 0;
      if (action.key === key) return index;
    }
    return 0;
  }
}

const MISMATCH_PREFIX: Partial<Record<HistoryEvent["type"], string>> = {
  CustomStatusUpdated: "custom status mismatch",
  KeyValueSet: "kv set mismatch",
  KeyValueCleared: "kv clear mismatch",
  KeyValuesCleared: "kv clear_all mismatch",
};
