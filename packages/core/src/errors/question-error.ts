/** Why a question to an instance has no answer. */
import { DuroxideError, type DuroxideErrorCode } from "./duroxide-error.ts";

/** The codes of a question that was not answered; a wait that took too long is a TimeoutError. */
export type QuestionErrorCode = Extract<
  DuroxideErrorCode,
  "not-found" | "ended" | "suspended" | "blocked" | "question-refused"
>;

/**
 * The instance does not answer: `not-found`, `ended`, `suspended` or `blocked`; or its handler has refused
 * (`question-refused`), and the message is that of the error which the handler threw.
 */
export class QuestionError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = [
    "not-found",
    "ended",
    "suspended",
    "blocked",
    "question-refused",
  ];
  override readonly name = "QuestionError";
  readonly instanceId: string;
  readonly question: string;
  /** The id with which the question can be repeated. */
  readonly messageId: string;

  constructor(
    code: QuestionErrorCode,
    message: string,
    asked: { readonly instanceId: string; readonly question: string; readonly messageId: string },
  ) {
    super(code, message);
    this.instanceId = asked.instanceId;
    this.question = asked.question;
    this.messageId = asked.messageId;
  }
}
