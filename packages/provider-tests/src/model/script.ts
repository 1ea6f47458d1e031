/**
 * Runs a script in lock step: makes the calls on the store under test, lets the reference follow, and records all of
 * them.
 */
import { isDeepStrictEqual } from "node:util";
import type { Provider } from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { type Answer, answerOf } from "./answers.ts";
import type { Call, CallerName } from "./call.ts";
import { Disagreement } from "./disagreement.ts";
import { literal } from "./literal.ts";
import { Reference } from "./reference.ts";
import { Situation } from "./situation.ts";
import { type Answered, Transcript } from "./transcript.ts";

/** Longest wait of a call for another one. */
const LONGEST_WAIT_MS = 60_000;

export class Script {
  readonly situation: Situation;
  readonly #context: CaseContext;
  readonly #callers: Readonly<Record<CallerName, Provider>>;
  readonly #transcript: Transcript;
  readonly #tokens = new Set<unknown>();
  /** One for each order of concurrent calls that explains the answers so far; moves are chosen by the first. */
  #references: readonly Reference[];

  constructor(context: CaseContext, callers: Readonly<Record<CallerName, Provider>>) {
    this.#context = context;
    this.#callers = callers;
    const reference = new Reference(context.time.now(), context.capabilities);
    this.#references = [reference];
    this.situation = new Situation(reference, context);
    this.#transcript = new Transcript(this.situation);
  }

  async pass(ms: number): Promise<void> {
    await this.#context.time.pass(ms);
    this.#transcript.addPass(ms);
    for (const reference of this.#references) reference.nowMs += ms;
  }

  /** Makes the calls concurrently. Some order of them must explain their results. */
  async perform(calls: readonly Call[]): Promise<readonly Answer[]> {
    const { time, capabilities, check } = this.#context;
    const ask = (call: Call): Promise<Answer> => answerOf(this.#callers[call.caller], call.method, call.args);
    const { value: answered, elapsedMs } = await time.measure(
      () => Promise.all(calls.map(async (call): Promise<Answered> => ({ call, answer: await ask(call) }))),
      LONGEST_WAIT_MS,
    );
    this.#transcript.add(answered);
    for (const each of answered) this.#checkToken(each);
    await this.#follow(answered, capabilities.clock === "virtual" ? elapsedMs : 0);
    check.isTrue(true, "what the reference answers");
    return answered.map(({ answer }) => answer);
  }

  #checkToken({ call: { method }, answer }: Answered): void {
    if (!method.startsWith("fetch") || answer.kind !== "returned" || answer.value === undefined) return;
    const { lockToken } = answer.value as { readonly lockToken: string };
    if (lockToken === "" || this.#tokens.has(lockToken)) this.#disagree("a lock token of its own");
    this.#tokens.add(lockToken);
  }

  /**
   * Several orders may explain the same answers, and only later answers may decide between them. A call may also have
   * waited for another one, such as a writer for the lock of a file: then time has passed between two of the calls, and
   * it is not known between which.
   */
  async #follow(answered: readonly Answered[], elapsedMs: number): Promise<void> {
    const waits = elapsedMs === 0 ? [0] : answered.map((_, index) => index);
    const orders = permutations(answered).flatMap((order) => waits.map((at) => ({ order, at })));
    const after: Reference[] = [];
    let wanted: Answer | undefined;
    for (const before of this.#references) {
      for (const { order, at } of orders) {
        const reference = orders.length === 1 ? before : before.copy();
        const own = await followAll(reference, order, at, elapsedMs);
        wanted ??= own;
        if (own === undefined && !after.some((other) => isSame(other, reference))) after.push(reference);
      }
    }
    const [first] = after;
    if (first === undefined) this.#disagree(wanted === undefined ? "nothing" : textOf(wanted));
    this.#references = after;
    this.situation.reference = first;
  }

  #disagree(wanted: string): never {
    throw new Disagreement(this.#transcript.lines(), wanted);
  }
}

/** The first answer of the reference that differs. */
async function followAll(
  reference: Reference,
  order: readonly Answered[],
  at: number,
  elapsedMs: number,
): Promise<Answer | undefined> {
  for (const [index, { call, answer }] of order.entries()) {
    if (index === at) reference.nowMs += elapsedMs;
    const own = await reference.follow(call, answer);
    if (own !== undefined) return own;
  }
  return undefined;
}

function isSame(a: Reference, b: Reference): boolean {
  return a.nowMs === b.nowMs && isDeepStrictEqual(a.data(), b.data());
}

function textOf(answer: Answer): string {
  if (answer.kind === "refused") return `an error, ${answer.code}`;
  return answer.kind === "broken" ? answer.message : literal(answer.value);
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
