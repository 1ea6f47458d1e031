/** The stream of an agent, which shows what happens in its order, and its values. */
import type { StreamDefinition } from "@duroxide-ts/core";

/** A stream that agents may write to. */
export type AgentStream = StreamDefinition<AgentPart, unknown>;

/** A value of the stream of an agent. */
export type AgentPart =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | ToolEndPart
  | ApprovalPart
  | DecisionPart
  | FinishPart;

/** A piece of the answer. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** A piece of the model's reasoning. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
}

/** The model calls a tool. */
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly tool: string;
  /** JSON text of the arguments, as the model has written it. */
  readonly input: string;
}

/** A tool has ended. Its result is not in the stream, because it may be large, or not for the reader. */
export interface ToolEndPart {
  readonly type: "tool-end";
  readonly toolCallId: string;
  readonly tool: string;
  /** The message that the model gets in place of a result. */
  readonly error?: string;
}

/** A tool waits for a decision. */
export interface ApprovalPart {
  readonly type: "approval";
  /** Id for `approval`. */
  readonly id: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: unknown;
}

/** A decision about a tool, or the end of the time for it. */
export interface DecisionPart {
  readonly type: "decision";
  readonly id: string;
  readonly approved: boolean;
  readonly by?: string;
  readonly reason?: string;
}

/** The end of a model call. */
export interface FinishPart {
  readonly type: "finish";
  /** Reason in the words of the AI SDK: `stop`, `tool-calls`, `length` and others. */
  readonly reason: string;
}
