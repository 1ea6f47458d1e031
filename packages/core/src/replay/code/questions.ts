/**
 * The questions that an execution has received and not answered, and its handlers (docs/decisions/messages.md).
 *
 * - questions.Q1: A handler begins when the code is idle, one after the other in the order of the questions: a replay
 *   begins it at the same place. A question without a handler waits for one, and goes to the next execution.
 * - questions.Q2: A question is answered once. A repetition is ignored while the first one is open, and as long as its
 *   asker takes the answer.
 * - questions.Q3: A handler whose scope was stopped has not answered: its question is open again.
 * - questions.Q4: When the code asks to continue as new, handlers stop: the next execution has the variables as they are
 *   now, so what a handler changes afterwards would be lost, and its asker would believe it done.
 * - questions.Q5: The newest handler answers that is neither withdrawn nor of a stopped branch: when a branch ends, the
 *   handler of the code around it answers again.
 */
import { owned, type RejectionOwner } from "../../guard/rejections.ts";
import { outside } from "../../host/outside.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import {
  ANSWER_KEPT_MS,
  type AskedQuestion,
  answerKey,
  askedQuestion,
  isRecentAnswer,
} from "../../wire/question.ts";
import type { Scope } from "../calls/scope.ts";
import type { UnreadMessage } from "../history/outgoing.ts";
import type { KvState } from "./kv-state.ts";

/** How the code answers a question. */
export interface QuestionHandler {
  readonly scope: Scope;
  /** Runs it in a scope of its own. */
  begin(asked: AskedQuestion, input: string): Scope;
}

interface OpenQuestion {
  readonly asked: AskedQuestion;
  readonly message: UnreadMessage;
  /** The scope of the handler that runs. */
  scope: Scope | undefined;
}

export class Questions {
  readonly #kv: KvState;
  /** Handlers by question, the newest last. Created when first needed: few executions answer questions. */
  #handlers: Map<string, QuestionHandler[]> | undefined;
  /** Questions by the key of their answer, in the order of arrival. */
  #open: Map<string, OpenQuestion> | undefined;
  #unheard: Set<string> | undefined;

  constructor(kv: KvState) {
    this.#kv = kv;
  }

  /** Whether code may run for the event; `undefined` if it is no question. */
  arrive(event: HistoryEvent): boolean | undefined {
    if (event.type !== "ExternalEventPersistent") return undefined;
    const asked = askedQuestion(event.name);
    if (asked === undefined) return undefined;
    const key = answerKey(asked);
    const answer = this.#kv.answers.get(key);
    const isAnswered = answer !== undefined && isRecentAnswer(answer.lastUpdatedAtMs, asked);
    if (isAnswered || this.#open?.has(key)) return false;
    this.#open ??= new Map();
    this.#open.set(key, {
      asked,
      message: { name: event.name, data: event.data, isEvent: false },
      scope: undefined,
    });
    return this.#handlerOf(asked) !== undefined;
  }

  /** Returns what withdraws the handler. */
  register(question: string, handler: QuestionHandler): () => void {
    this.#handlers ??= new Map();
    const handlers = this.#handlers.get(question) ?? [];
    this.#handlers.set(question, handlers);
    handlers.push(handler);
    return () => {
      const at = handlers.lastIndexOf(handler);
      if (at >= 0) handlers.splice(at, 1);
    };
  }

  /** questions.Q5 */
  #handlerOf({ question }: AskedQuestion): QuestionHandler | undefined {
    const handlers = this.#handlers?.get(question) ?? [];
    while (handlers.at(-1)?.scope.stopped === true) handlers.pop();
    return handlers.at(-1);
  }

  /** Begins the handler of the oldest question that has one (questions.Q1); false if there is none. */
  begin(owner: RejectionOwner): boolean {
    for (const open of this.#all()) {
      // questions.Q3
      if (open.scope?.stopped === false) continue;
      const handler = this.#handlerOf(open.asked);
      if (handler === undefined) continue;
      // What the handler enters must not reach the turn that runs it.
      open.scope = outside(() => owned(owner, () => handler.begin(open.asked, open.message.data)));
      return true;
    }
    return false;
  }

  get isEmpty(): boolean {
    return this.#open === undefined || this.#open.size === 0;
  }

  #all(): Iterable<OpenQuestion> {
    return this.#open?.values() ?? [];
  }

  /** Scopes of the handlers that run (questions.Q4). */
  get running(): readonly Scope[] {
    return [...this.#all()].flatMap(({ scope }) => (scope?.stopped === false ? [scope] : []));
  }

  answered(key: string): void {
    this.#open?.delete(key);
  }

  /** Names of the questions that have no handler; each is returned once. */
  takeUnheard(): readonly string[] {
    if (this.isEmpty) return NONE;
    const names = [...this.#all()]
      .filter(({ asked }) => this.#handlerOf(asked) === undefined)
      .map(({ asked }) => asked.question)
      .filter((name) => this.#unheard?.has(name) !== true);
    if (names.length === 0) return NONE;
    this.#unheard = new Set([...(this.#unheard ?? []), ...names]);
    return [...new Set(names)];
  }

  /** Returns those that the next execution gets: after an hour nobody waits for the answer. */
  unread(nowMs: number): readonly UnreadMessage[] {
    return [...this.#all()]
      .filter(({ asked }) => asked.askedAtMs >= nowMs - ANSWER_KEPT_MS)
      .map(({ message }) => message);
  }
}

const NONE: readonly string[] = [];
