/** `ctx.answer`: runs the handlers of questions, and records what they return (docs/decisions/messages.md). */
import type { AnswerHandler } from "../../define/answering.ts";
import { MAX_KV_VALUE_BYTES } from "../../define/limits.ts";
import { calleeName, type Named, validated } from "../../define/named.ts";
import type { OrchestrationContext } from "../../define/orchestration-context.ts";
import { InvalidInputError, LimitExceededError } from "../../errors/duroxide-error.ts";
import { isError, thrownMessage, thrownName } from "../../errors/thrown-value.ts";
import { shown } from "../../options/option-list.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import { ANSWER_KEPT_MS, type AskedQuestion, answerKey, type StoredAnswer } from "../../wire/question.ts";
import { exceedsUtf8, utf8Bytes } from "../../wire/utf8.ts";
import { KV_CLEAR, KV_SET } from "../calls/key-values.ts";
import type { Scope } from "../calls/scope.ts";
import { runHandler } from "../code/handler.ts";
import type { QuestionHandler } from "../code/questions.ts";
import type { Recorder, RunningCode } from "../code/recorder.ts";
import type { Branch } from "./member.ts";

/** A handler, whatever its types. */
export type AnyAnswer = AnswerHandler<never, unknown, OrchestrationContext>;
type Handler = AnswerHandler<unknown, unknown, OrchestrationContext>;

interface Answerer {
  readonly code: RunningCode;
  readonly recorder: Recorder;
  readonly scope: Scope;
  branch<T>(run: (branch: OrchestrationContext) => PromiseLike<T>): Branch<T>;
}

/** Registers the handler; disposing of the result withdraws it. */
export function answer(answerer: Answerer, question: Named, handler: AnyAnswer): Disposable {
  const name = calleeName("answer", "question", question);
  if (typeof handler !== "function") {
    throw new InvalidInputError(`answer("${name}"): the handler must be a function; got ${shown(handler)}`);
  }
  const { code, scope } = answerer;
  if (!code.enter(scope, `answer("${name}")`)) return { [Symbol.dispose]: () => {} };
  const withdraw = code.questions.register(name, questionHandler(answerer, question, handler as Handler));
  return { [Symbol.dispose]: withdraw };
}

function questionHandler(answerer: Answerer, question: Named, handler: Handler): QuestionHandler {
  const { code, scope } = answerer;
  return {
    scope,
    begin(asked, text) {
      const branch = answerer.branch(async (context) => {
        // From here on its scope is known as that of a handler (questions.Q4).
        await undefined;
        const input = validated(question, code.surroundings.codec.decode(text));
        return runHandler(() => handler(input, context));
      });
      const answered = (answer: StoredAnswer): void => {
        if (!code.enter(branch.scope, `the answer to "${asked.question}"`)) return;
        code.stop(branch.scope);
        record(answerer, asked, answer);
      };
      const about = { question: asked.question, messageId: asked.messageId };
      branch.result.then(
        (answer) => answered({ ...about, atMs: code.nowMs, answer }),
        (error: unknown) => answered({ ...about, atMs: code.nowMs, refusal: refusalOf(error) }),
      );
      return branch.scope;
    },
  };
}

/** One that cannot be stored is a refusal. */
function record({ code, recorder }: Answerer, asked: AskedQuestion, answer: StoredAnswer): void {
  const key = answerKey(asked);
  const { kv, nowMs, questions } = code;
  let { refusal } = answer;
  let text: string;
  try {
    text = encoded(code, asked, answer);
  } catch (error) {
    refusal = refusalOf(error);
    const { question, messageId } = asked;
    text = encoded(code, asked, { question, messageId, atMs: nowMs, refusal });
  }
  questions.answered(key);
  const isRefusal = refusal !== undefined;
  recorder.emit(KV_SET, { name: key, text, isRefusal, cell: kv.setAnswer(key, nowMs) });
  for (const old of kv.answersBefore(nowMs - ANSWER_KEPT_MS - MARGIN_MS, MOST_REMOVED)) {
    kv.deleteAnswer(old);
    recorder.emit(KV_CLEAR, { name: old });
  }
}

/** Difference of the clocks of asker and instance, ms: an answer is removed later than it is forgotten. */
const MARGIN_MS = 300_000;
/** Old answers that one answer removes: more than it adds, and few enough for its commit. */
const MOST_REMOVED = 4;

function encoded({ surroundings }: RunningCode, { question }: AskedQuestion, answer: StoredAnswer): string {
  const text = encodePayload(surroundings.codec, answer, "answer", question);
  if (!exceedsUtf8(text, MAX_KV_VALUE_BYTES)) return text;
  throw new LimitExceededError(
    `answer to question "${question}" (${utf8Bytes(text)} bytes) exceeds limit (${MAX_KV_VALUE_BYTES} bytes)`,
  );
}

function refusalOf(error: unknown): { readonly name: string; readonly message: string } {
  return {
    name: isError(error) ? thrownName(error) : "Error",
    message: thrownMessage(error, LONGEST_REFUSAL).toWellFormed(),
  };
}

const LONGEST_REFUSAL = 4_096;
