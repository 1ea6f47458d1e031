/**
 * The actions of the code that no event of history records yet, in call order. LiveExecution owns it for its invariants
 * live-execution.L2 and live-execution.L3:
 *
 * - emitted-actions.E1: Actions are removed in the order in which the code made them, because history records them in
 *   that order. Only kinds with `anyOrder`, clears of keys, are exempt (runtime-semantics §1.5).
 * - emitted-actions.E2: An action that does not match its event is not removed, because the replay kit reports it as
 *   the actual call.
 */
import { areTextsCompared } from "../../payload/compared-texts.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import type { EventPayloads, EventType, HistoryEvent } from "../../wire/event.ts";
import { SharedInputs } from "../../wire/shared-inputs.ts";
import type { Content } from "../calls/content.ts";
import type { Action } from "../calls/durable-call.ts";
import type { CallKind } from "../calls/kind.ts";
import { ReplayFailure } from "../replay-failure.ts";
import { type CodeState, describeEvent, mismatch, stateOf } from "./mismatch.ts";
import type { RunningCode } from "./recorder.ts";

export class EmittedActions {
  readonly #actions: Action[] = [];
  readonly #inputs = new SharedInputs();

  add(action: Action): void {
    if (action.request.isNext === true) this.#actions.unshift(action);
    else this.#actions.push(action);
  }

  /** Removes the oldest action, for a new event. */
  takeOldest(): Action | undefined {
    return this.#actions.shift();
  }

  [Symbol.iterator](): Iterator<Action> {
    return this.#actions.values();
  }

  /**
   * Removes the action that matches an event of history; `kind` is the kind that the event records. `undefined` if the
   * event may be there without a call of the code. Throws ReplayFailure if they do not match; the message says what the
   * code does.
   */
  takeMatching(
    event: HistoryEvent,
    kind: CallKind,
    codec: Pick<PayloadCodec, "decode">,
    state: CodeState,
  ): Action | undefined {
    const recorded = kind.recorded(this.#whole(event));
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

  /** The payload of the event that records an action. */
  payloadOf(
    { kind, request }: Action,
    eventId: number,
    { identity, surroundings }: Pick<RunningCode, "identity" | "surroundings">,
  ): EventPayloads[EventType] {
    const payload = kind.toEvent(request, eventId, identity.executionId);
    if (kind.schedules !== "ActivityScheduled" || areTextsCompared(surroundings.codec)) return payload;
    return this.#inputs.shorten(payload as EventPayloads["ActivityScheduled"], eventId);
  }

  /** The length of what is kept of inputs. */
  get inputLength(): number {
    return this.#inputs.length;
  }

  #whole(event: HistoryEvent): HistoryEvent {
    return event.type === "ActivityScheduled" ? this.#inputs.whole(event) : event;
  }

  /** Searches the leading run of actions of this kind. */
  #indexOf(kind: CallKind, { name }: Content): number {
    for (const [index, action] of this.#actions.entries()) {
      if (action.kind !== kind) return 0;
      if (action.request.name === name) return index;
    }
    return 0;
  }
}
