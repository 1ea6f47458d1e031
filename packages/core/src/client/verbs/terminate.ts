/** Ends an instance at once, without running its code: its open activities are dropped, its children cancelled. */

import type { ProviderAdmin } from "../../contract/admin.ts";
import type { Suspended } from "../../contract/instance-info.ts";
import { storedStatus } from "../../contract/listed-status.ts";
import type { TurnContent } from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import { waitingStart } from "../../contract/waiting-start.ts";
import { RefusedError } from "../../errors/duroxide-error.ts";
import { type EndedByHand, endByHand, endNextByHand } from "../../verbs/end-execution.ts";
import { runEnded } from "../../wire/scheduled.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import {
  type InstanceState,
  isOver,
  logVerb,
  markOf,
  type Plan,
  type Planned,
  revise,
  suspendedNow,
  type VerbTools,
} from "./revising.ts";
import type { ByHand, Verb, WithReason } from "./verb-options.ts";

export async function terminate(tools: VerbTools, instanceId: string, options: WithReason): Promise<void> {
  try {
    await endInstance(tools, instanceId, options);
  } catch (error) {
    const isUnknown = ProviderError.is(error, "instance-not-found");
    if (!isUnknown || (await waitingStart(tools.admin, instanceId)) === undefined) throw error;
    // Its start may be blocked before its first turn. The message ends it in that turn, also if its code has a mistake.
    const reason = textOf("terminate", options);
    await tools.provider.enqueueForOrchestrator({ kind: "CancelInstance", instance: instanceId, reason });
  }
  logVerb(tools, "terminate", instanceId, options);
}

function endInstance(tools: VerbTools, instanceId: string, options: WithReason): Promise<void> {
  return revise(tools, "terminate", instanceId, async (state) => {
    const { info } = state;
    if (isOver(info)) {
      throw new RefusedError(instanceId, `terminate: instance "${instanceId}" has ended (${info.status})`);
    }
    const ended = endNow(tools, "terminate", state, options);
    if (ended === undefined) return undefined;
    const notices = await parentNotices(tools.admin, ended);
    const [first] = state.history;
    const scheduled = first?.type === "OrchestrationStarted" ? first.scheduled : undefined;
    return ending(ended.content, [...ended.cancels, ...notices, ...runEnded(instanceId, scheduled)], null);
  });
}

/**
 * Ends the execution if it runs; false if it has ended. It notifies neither parent nor children, because another
 * execution follows. The instance is suspended until that begins, so that messages wait for it: an instance that has
 * ended loses them.
 */
export function endQuietly(
  tools: VerbTools,
  verb: Verb,
  state: InstanceState,
  options: ByHand,
): Plan<boolean> {
  if (isOver(state.info)) return { already: false };
  const ended = endNow(tools, verb, state, options);
  if (ended === undefined) return undefined;
  const reason = `the ${verb} has ended an execution and not begun the next one; repeat it`;
  return { ...ending(ended.content, [], suspendedNow(tools, { ...options, reason })), result: true };
}

/** `undefined` between two executions for verbs that begin the next one themselves: they would lose its messages. */
function endNow(
  tools: VerbTools,
  verb: Verb,
  { info, history }: InstanceState,
  options: ByHand,
): EndedByHand | undefined {
  const { instanceId, currentExecutionId: executionId, status } = info;
  if (history.length === 0) return undefined;
  const mark = markOf(tools, verb, executionId, options);
  const end = { instanceId, executionId, history, mark, reason: textOf(verb, options), clock: tools.clock };
  if (storedStatus(status) === "Running") return endByHand(end);
  return verb === "terminate" ? endNextByHand(end) : undefined;
}

function ending(
  content: TurnContent,
  orchestratorItems: readonly OrchestratorItem[],
  suspended: Suspended | null,
): Planned<undefined> {
  return { revision: { turn: { ...content, orchestratorItems }, suspended }, result: undefined };
}

/** Rust, and parents, get only this text. */
function textOf(verb: Verb, { by, reason }: ByHand): string {
  const done = verb === "terminate" ? "terminated" : `ended for a ${verb}`;
  const text = `${done}${by === undefined ? "" : ` by ${by}`}${reason === undefined ? "" : `: ${reason}`}`;
  return text.toWellFormed();
}

async function parentNotices(admin: ProviderAdmin, ended: EndedByHand): Promise<OrchestratorItem[]> {
  const { parent, details } = ended;
  if (parent === undefined) return [];
  const { instanceId, scheduleId, executionId } = parent;
  return [
    {
      kind: "SubOrchFailed",
      parent_instance: instanceId,
      parent_execution_id: executionId ?? (await admin.getInstanceInfo(instanceId)).currentExecutionId,
      parent_id: scheduleId,
      details,
    },
  ];
}
