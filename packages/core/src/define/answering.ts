/** Questions to a running instance (docs/guide/20-questions.md). */
import type { QuestionDefinition } from "./definition-types.ts";
import type { Sending } from "./sending.ts";

/**
 * Answers a question. `branch` is a context for durable calls, which end with the handler. What it throws refuses the
 * question: the asker gets the message, and the instance goes on.
 */
export type AnswerHandler<Input, Output, Context> = (
  input: Input,
  branch: Context,
) => Output | PromiseLike<Output>;

/** The calls of orchestration code that speak with others; `Context` is that of the code. */
export interface Conversing<Context> extends Sending {
  /**
   * Answers a question of clients from here on, also while the code waits elsewhere, and those that have waited. The commit
   * of the turn stores the answer with what the handler has changed: entries, the custom status, variables. A later call
   * for the same question replaces the handler; dispose of the result to withdraw it. The next execution registers its
   * handlers again.
   *
   * @example
   * ```ts
   * ctx.answer("total", () => order.cents);
   * ```
   */
  answer<Input, Output, Parsed>(
    question: QuestionDefinition<Input, Output, Parsed, unknown> | string,
    handler: AnswerHandler<Parsed, Output, Context>,
  ): Disposable;
}
