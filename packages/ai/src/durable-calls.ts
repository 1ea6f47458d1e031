/**
 * Middleware of the AI SDK that makes each call of a model a step of the orchestration.
 *
 * - durable-calls.C1: The SDK never retries: what it gets is the failure of the step, after the retries of the step, which it
 *   does not take for one that another try may mend.
 */
import { InvalidInputError, type OrchestrationContext, type StepOptions } from "@duroxide-ts/core";
import type { LanguageModelMiddleware } from "ai";
import type { AgentStream } from "./agent-part.ts";
import { admit, type Budget, charge, checkBudget } from "./budget.ts";
import { callModel } from "./model-step.ts";
import type { GenerateResult, ModelCall } from "./sdk-types.ts";
import { fromStored, toStored } from "./stored-result.ts";

/** Options of `durableCalls`: those of each step, and what agents have beside them. */
export interface DurableCallsOptions extends StepOptions {
  /** Stream that shows deltas, tool calls and the ends of calls. With it the model is asked to stream. */
  readonly stream?: AgentStream;
  readonly budget?: Budget;
}

/** Providers are often overloaded for seconds. Ten minutes are longer than an answer takes. */
const DEFAULTS: StepOptions = {
  retry: { maxAttempts: 5, backoff: { kind: "exponential", base: { seconds: 1 }, max: { minutes: 1 } } },
  timeout: { minutes: 10 },
};

/**
 * Makes each call of a model a step of the orchestration, named `model`: it runs again only if its process dies before the
 * result is stored. `options` are those of `ctx.run`, by default five attempts of at most ten minutes; the model's
 * errors decide whether and when they are retried.
 *
 * @example
 * ```ts
 * import { durableCalls } from "@duroxide-ts/ai";
 * import { gateway, generateText, wrapLanguageModel } from "ai";
 *
 * const answer = orchestration("answer", async (ctx, prompt: string) => {
 *   const model = wrapLanguageModel({ model: gateway("openai/gpt-5"), middleware: durableCalls(ctx) });
 *   const { text } = await ctx.deterministic(() => generateText({ model, prompt }));
 *   return text;
 * });
 * ```
 */
export function durableCalls(
  ctx: OrchestrationContext,
  options: DurableCallsOptions = {},
): LanguageModelMiddleware {
  const { stream, budget, ...step } = options;
  if (budget !== undefined) checkBudget(budget);
  const called = async (call: ModelCall): Promise<GenerateResult> => {
    if (budget !== undefined) await admit(ctx, budget);
    const { modelId } = call.model;
    const { abortSignal: signal } = call.params;
    const stored = await ctx.run("model", async (run) => toStored(await callModel(call, run, stream)), {
      label: modelId,
      ...DEFAULTS,
      ...(signal !== undefined && { signal }),
      ...step,
    });
    const result = fromStored(stored, ctx.now());
    if (budget !== undefined) charge(ctx, budget, result.usage, modelId);
    return result;
  };
  return {
    specificationVersion: "v4",
    wrapGenerate: called,
    wrapStream() {
      throw new InvalidInputError(
        "durableCalls: streamText and stream() cannot run in orchestration code; use generateText and generate(), and read the deltas from the option `stream`",
      );
    },
  };
}
