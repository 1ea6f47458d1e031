/** Questions with their answers. A repetition that history has is no step of its own. */
import type { EventOf, HistoryEvent } from "../wire/event.ts";
import { saturatedNumber } from "../wire/integer.ts";
import { answerKey, askedQuestion, isRecentAnswer } from "../wire/question.ts";
import { begun, type Draft } from "./draft.ts";
import type { QuestionStep, Step } from "./timeline.ts";

export class QuestionSteps {
  readonly #steps: Draft<Step>[];
  readonly #byKey = new Map<string, Draft<QuestionStep>>();

  /** New questions are added to `steps`. */
  constructor(steps: Draft<Step>[]) {
    this.#steps = steps;
  }

  /** True if the message is a question. */
  ask(event: HistoryEvent): boolean {
    if (event.type !== "ExternalEventPersistent") return false;
    const asked = askedQuestion(event.name);
    if (asked === undefined) return false;
    const key = answerKey(asked);
    const known = this.#byKey.get(key);
    const isRepetition = known !== undefined && isRecentAnswer(known.endedAtMs ?? asked.askedAtMs, asked);
    if (isRepetition) return true;
    const { question: name, messageId } = asked;
    const step: Draft<QuestionStep> = {
      kind: "question",
      ...begun(event),
      name,
      messageId,
      input: event.data,
    };
    this.#steps.push(step);
    this.#byKey.set(key, step);
    return true;
  }

  answer({ key, value, refused, timestamp_ms }: EventOf<"KeyValueSet">): void {
    const step = this.#byKey.get(key);
    if (step === undefined) return;
    step.outcome = refused === true ? "failed" : "completed";
    step.endedAtMs = saturatedNumber(timestamp_ms);
    step.result = value;
  }
}
