/** Runs a script: makes the calls, compares the results with the contract, and records all of them. */
import { type Provider, ProviderError } from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { isAdministrative } from "./contract.ts";
import { Disagreement } from "./disagreement.ts";
import { type Answer, Complaint } from "./expectation.ts";
import { type Answered, explain } from "./explain.ts";
import { type Call, type CallerName, Situation } from "./situation.ts";
import { emptyState, type State } from "./state.ts";
import { Transcript } from "./transcript.ts";

/** Longest wait of a call for another one. */
const LONGEST_WAIT_MS = 60_000;

export class Script {
  readonly situation: Situation;
  readonly #context: CaseContext;
  readonly #callers: Readonly<Record<CallerName, Provider>>;
  readonly #transcript: Transcript;
  /** The states that the results so far allow; moves are chosen by the first. */
  #states: readonly State[];

  constructor(context: CaseContext, callers: Readonly<Record<CallerName, Provider>>) {
    this.#context = context;
    this.#callers = callers;
    const state = emptyState(context.time.now(), context.capabilities);
    this.#states = [state];
    this.situation = new Situation(state, context.provider);
    this.#transcript = new Transcript(this.situation);
  }

  async pass(ms: number): Promise<void> {
    await this.#context.time.pass(ms);
    this.#transcript.addPass(ms);
    this.#goOn(this.#states.map((state) => ({ ...state, nowMs: state.nowMs + ms })));
  }

  /** Makes the calls concurrently. Some order of them must explain their results. */
  async perform(calls: readonly Call[]): Promise<readonly Answer[]> {
    const { time, capabilities } = this.#context;
    const ask = (): Promise<Answered[]> =>
      Promise.all(calls.map(async (call) => ({ call, answer: await this.#ask(call) })));
    const { value: answered, elapsedMs } = await time.measure(ask, LONGEST_WAIT_MS);
    this.#transcript.add(answered);
    const after = explain(this.#states, answered, capabilities.clock === "virtual" ? elapsedMs : 0);
    if (after instanceof Complaint) throw new Disagreement(this.#transcript.lines(), after.wanted);
    this.#context.check.isTrue(true, "what the contract allows");
    this.#goOn(after);
    return answered.map(({ answer }: Answered) => answer);
  }

  #goOn(states: readonly State[]): void {
    const isSame =
      states.length === this.#states.length && states.every((each, n) => each === this.#states[n]);
    if (isSame) this.#transcript.nothingChanged();
    this.#states = states;
    this.situation.state = states[0] ?? this.situation.state;
  }

  async #ask({ caller, method, args }: Call): Promise<Answer> {
    const provider = this.#callers[caller];
    const target = isAdministrative(method) ? provider.admin : provider;
    try {
      const call = Reflect.get(target ?? {}, method, target) as (...args: readonly unknown[]) => unknown;
      return { kind: "returned", value: await Reflect.apply(call, target, args) };
    } catch (error) {
      if (ProviderError.is(error)) return { kind: "refused", code: error.code };
      return { kind: "broken", message: String(error) };
    }
  }
}
