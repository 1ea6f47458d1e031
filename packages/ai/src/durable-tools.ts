/**
 * Tools of the AI SDK as steps of the orchestration.
 *
 * - durable-tools.T1: A tool whose result is stored does not run again. One whose process dies before runs again, with the
 *   same `callKey`.
 * - durable-tools.T2: A failure, after its retries, is the model's to read: the message of the tool's own error.
 */
import {
  type ActivityContext,
  InvalidInputError,
  isCallFailure,
  type OrchestrationContext,
  type StepOptions,
} from "@duroxide-ts/core";
import { durationMs, type OptionList, optionFault, optionList } from "@duroxide-ts/core/stores";
import type { ToolSet } from "ai";
import type { AgentStream } from "./agent-part.ts";
import { type Approval, approved } from "./approval.ts";

/** Options of `durableTools`: those of each step, and what agents have beside them. */
export interface DurableToolsOptions extends StepOptions {
  /** Stream that shows requests for approval, decisions, and the ends of tools. */
  readonly stream?: AgentStream;
  /** Calls run when they are approved; by default at once. */
  readonly approval?: Approval;
}

const OPTIONS: OptionList = optionList<DurableToolsOptions>({
  stream: true,
  approval: true,
  retry: true,
  timeout: true,
  queueTimeout: true,
  totalTimeout: true,
  session: true,
  limit: true,
  priority: true,
  label: true,
  signal: true,
});
const APPROVAL: OptionList = optionList<Approval>({ within: true, when: true, asked: true });

type AnyTool = ToolSet[string];
type Execute = NonNullable<AnyTool["execute"]>;
type ExecuteOptions = Parameters<Execute>[1];

/** One for all copies of this package in the process, because a tool may import another one than the orchestration. */
const STEP: unique symbol = Symbol.for("duroxide.ai.step");

/**
 * Makes each call of these tools a step, named after the tool. `options` are those of `ctx.run` for each of them, by default
 * without retries; call it again for tools with others. A tool that makes durable calls itself, such as one that starts a
 * child, is not passed through this function. Results come back as JSON.
 *
 * @example
 * ```ts
 * import { durableTools, stepOf } from "@duroxide-ts/ai";
 * import { tool } from "ai";
 *
 * const refund = tool({
 *   inputSchema: z.object({ cents: z.number() }),
 *   execute: ({ cents }, options) => {
 *     const { callKey, signal } = stepOf(options);
 *     return pay(-cents, { idempotencyKey: callKey, signal });
 *   },
 * });
 * const tools = durableTools(ctx, { refund }, { retry: { maxAttempts: 3 }, approval: { within: { hours: 8 } } });
 * ```
 */
export function durableTools<Tools extends ToolSet>(
  ctx: OrchestrationContext,
  tools: Tools,
  options: DurableToolsOptions = {},
): Tools {
  const fault = faultOf(options);
  if (fault !== undefined) throw new InvalidInputError(fault);
  if (options.approval !== undefined) durationMs(options.approval.within, "durableTools: approval.within");
  const durable = Object.entries(tools).map(([name, tool]) => [name, durableTool(ctx, name, tool, options)]);
  return Object.fromEntries(durable) as Tools;
}

/** A mistake that only a call of the tool met would be told to the model as a failure of the tool. */
function faultOf(options: DurableToolsOptions): string | undefined {
  const { approval } = options;
  const fault =
    optionFault("durableTools", options, OPTIONS) ??
    optionFault("durableTools: approval", approval, APPROVAL);
  if (fault !== undefined || approval === undefined || approval.within !== undefined) return fault;
  return "durableTools: approval needs within, the time for a decision, such as { hours: 8 }";
}

/** The step that runs a tool of `durableTools`: `callKey` for idempotent requests, streams, progress, the log. */
export function stepOf(options: object): ActivityContext {
  const step = (options as { readonly [STEP]?: ActivityContext })[STEP];
  if (step !== undefined) return step;
  throw new InvalidInputError(
    "stepOf: these are not the options of a tool that runs as a step; pass the tool through durableTools, and give stepOf the second argument of execute",
  );
}

function durableTool(
  ctx: OrchestrationContext,
  name: string,
  tool: AnyTool,
  { stream, approval, ...step }: DurableToolsOptions,
): AnyTool {
  const { execute } = tool;
  // Tools of the provider, and those that another side executes, have none.
  if (execute === undefined) return tool;
  const durable: Execute = async (input: unknown, options: ExecuteOptions) => {
    const { toolCallId, abortSignal: signal } = options;
    const end = (error?: string): void => {
      if (stream === undefined) return;
      ctx
        .stream(stream)
        .write({ type: "tool-end", toolCallId, tool: name, ...(error !== undefined && { error }) });
    };
    try {
      if (approval !== undefined) await approved(ctx, approval, stream, { tool: name, toolCallId, input });
      const output = await ctx.run(name, (run) => executed(execute, input, options, run), {
        label: toolCallId,
        ...(signal !== undefined && { signal }),
        ...step,
      });
      end();
      return output;
    } catch (error) {
      const told = isCallFailure(error) && error.cause instanceof Error ? error.cause : error;
      end(told instanceof Error ? told.message : String(told));
      throw told;
    }
  };
  return { ...tool, execute: durable } as AnyTool;
}

/** The last value of a tool that yields several. */
async function executed(
  execute: Execute,
  input: unknown,
  options: ExecuteOptions,
  step: ActivityContext,
): Promise<unknown> {
  const given = execute(input, { ...options, abortSignal: step.signal, [STEP]: step } as ExecuteOptions);
  if (typeof given !== "object" || given === null || !(Symbol.asyncIterator in given)) return given;
  let last: unknown;
  for await (const value of given as AsyncIterable<unknown>) last = value;
  return last;
}
