/**
 * Approvals of tools: a queue message decides about one call, within a time.
 *
 * - approval.A1: Each approval has an id of its own, drawn by the orchestration. Ids of tool calls come from the model, and
 *   some models begin with the same ones in each answer: a decision that came too late would approve another call.
 */
import { type Duration, type OrchestrationContext, type QueueDefinition, queue } from "@duroxide-ts/core";
import type { AgentStream, ApprovalPart } from "./agent-part.ts";

/** A decision about a call of a tool. */
export interface Decision {
  /** Anything but `true` refuses. */
  readonly approved: boolean;
  /** Name of the person. */
  readonly by?: string;
  /** Reason for people, and for the model where the call is refused. */
  readonly reason?: string;
}

/** How calls of a tool are approved. */
export interface Approval {
  /** Time for the decision. When it has passed, the call is refused. */
  readonly within: Duration;
  /** Whether a call needs an approval; by default each does. Runs in orchestration code. */
  readonly when?: (input: unknown) => boolean;
  /** Called with each request, in orchestration code, such as `(request) => ctx.setCustomStatus(request)`. */
  readonly asked?: (request: ApprovalPart) => unknown;
}

/**
 * The queue of the decision about the approval with this id.
 *
 * @example
 * ```ts
 * import { approval } from "@duroxide-ts/ai";
 *
 * await client.handle("support", "chat-7").enqueue(approval("f3a29c0117b4"), { approved: true, by: "Grace" });
 * ```
 */
export function approval(id: string): QueueDefinition<Decision> {
  return queue<Decision>(`duroxide.ai.approval.${id}`);
}

/** Resolves when a call may run. Rejects with the reason that the model gets. */
export async function approved(
  ctx: OrchestrationContext,
  rule: Approval,
  stream: AgentStream | undefined,
  call: Pick<ApprovalPart, "tool" | "toolCallId" | "input">,
): Promise<void> {
  if (rule.when !== undefined && !rule.when(call.input)) return;
  const request: ApprovalPart = { type: "approval", id: drawnId(ctx), ...call };
  if (stream !== undefined) ctx.stream(stream).write(request);
  await rule.asked?.(request);
  const label = { label: `approval of ${call.tool}` };
  const first = await ctx.race([
    ctx.dequeue(approval(request.id), label),
    ctx.scheduleTimer(rule.within, label),
  ]);
  const decision = first.index === 0 ? decisionIn(first.value) : TOO_LATE;
  const isApproved = decision.approved === true;
  if (stream !== undefined)
    ctx.stream(stream).write({ ...decision, type: "decision", id: request.id, approved: isApproved });
  if (!isApproved) throw new Error(refusal(decision));
}

const TOO_LATE: Decision = { approved: false, reason: "nobody decided in time" };

/** The message of whoever may send to the queue: all but an object refuses, and says nothing more. */
function decisionIn(message: unknown): Decision {
  return typeof message === "object" && message !== null ? (message as Decision) : { approved: false };
}

function refusal({ by, reason }: Decision): string {
  return `This call was not approved${by === undefined ? "" : ` by ${by}`}${reason === undefined ? "" : `: ${reason}`}.`;
}

function drawnId(ctx: OrchestrationContext): string {
  return Math.trunc(ctx.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0");
}
