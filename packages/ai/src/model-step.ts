/**
 * One call of a model inside a step.
 *
 * - model-step.M1: Deltas are shown, and decide nothing: the orchestration gets the whole result when it is stored.
 */
import { type ActivityContext, type StepStream, systemClock } from "@duroxide-ts/core";
import type { AgentPart, AgentStream } from "./agent-part.ts";
import { Assembly } from "./assemble.ts";
import { modelError } from "./model-error.ts";
import type { GenerateResult, ModelCall, ModelPart } from "./sdk-types.ts";

export async function callModel(
  { model, params }: ModelCall,
  step: ActivityContext,
  stream: AgentStream | undefined,
): Promise<GenerateResult> {
  const call = { ...params, abortSignal: step.signal };
  try {
    if (stream === undefined) return await model.doGenerate(call);
    return await collect((await model.doStream(call)).stream, step.stream(stream));
  } catch (error) {
    throw modelError(error, systemClock.now());
  }
}

async function collect(
  parts: ReadableStream<ModelPart>,
  shown: StepStream<AgentPart>,
): Promise<GenerateResult> {
  const assembly = new Assembly();
  for await (const part of parts) {
    assembly.add(part);
    const value = shownPart(part);
    if (value !== undefined) await shown.write(value);
  }
  return assembly.result();
}

function shownPart(part: ModelPart): AgentPart | undefined {
  switch (part.type) {
    case "text-delta":
      return { type: "text", text: part.delta };
    case "reasoning-delta":
      return { type: "reasoning", text: part.delta };
    case "tool-call":
      return { type: "tool-call", toolCallId: part.toolCallId, tool: part.toolName, input: part.input };
    case "finish":
      return { type: "finish", reason: part.finishReason.unified };
    default:
      return undefined;
  }
}
