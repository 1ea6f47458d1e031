/**
 * Retries a failed instance, or rewinds one: both begin the next execution with a part of the history of the current
 * one (docs/decisions/verbs.md).
 */

import type { InstanceInfo } from "../../contract/instance-info.ts";
import { storedStatus } from "../../contract/listed-status.ts";
import { RefusedError } from "../../errors/duroxide-error.ts";
import { type Cut, cutAfter, cutBeforeFailure } from "../../verbs/cut.ts";
import { beginExecution, cancelsAfter } from "../../verbs/next-execution.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { findInstance } from "../find-instance.ts";
import { childThatCannot, takeOverChildren } from "./children.ts";
import { type RestoredKeyValues, restoredKeyValues } from "./restored-key-values.ts";
import {
  type AsChild,
  type InstanceState,
  isOver,
  lastEventId,
  logVerb,
  markOf,
  type Plan,
  type Planned,
  readState,
  revise,
  type VerbTools,
} from "./revising.ts";
import { endQuietly } from "./terminate.ts";
import type { ByHand, Repeating, RetryOptions, RetryResult, RewindOptions } from "./verb-options.ts";

export async function retry(
  tools: VerbTools,
  instanceId: string,
  options: RetryOptions,
  asChild?: AsChild,
): Promise<RetryResult> {
  const resumed = asChild === undefined ? await finishRetry(tools, instanceId, options) : undefined;
  if (resumed !== undefined) return resumed;
  const { idempotencyKeys = "same" } = options;
  const result = await revise(tools, "retry", instanceId, async (state) => {
    if (storedStatus(state.info.status) !== "Failed")
      throw refused("retry", instanceId, `it is ${state.info.status}`);
    const cut = cutBeforeFailure(state.history);
    if ("refused" in cut) throw refused("retry", instanceId, cut.refused);
    return nextExecution(tools, "retry", state, cut, { ...options, idempotencyKeys }, asChild);
  });
  return finish(tools, "retry", instanceId, options, result);
}

export async function rewind(
  tools: VerbTools,
  instanceId: string,
  options: RewindOptions,
): Promise<RetryResult> {
  const { idempotencyKeys = "new" } = options;
  const state = await readState(tools, instanceId);
  const toEvent = placeIn(state, options);
  if (toEvent > lastEventId(state.history)) {
    const last = lastEventId(state.history);
    throw refused("rewind", instanceId, `its current execution has no event ${toEvent}; the last is ${last}`);
  }
  if (!isOver(state.info)) {
    // Refused before anything has ended.
    await keyValuesFor(tools, "rewind", state);
    await refuseForChildren(tools, "rewind", instanceId, cutAfter(state.history, toEvent));
    // A child that an earlier change has left suspended would not receive its cancellation.
    await takeOverChildren(tools, state, options, retry);
    await revise(tools, "rewind", instanceId, (now) => endQuietly(tools, "rewind", now, options));
  }
  const begin = async (now: InstanceState): Promise<Plan<RetryResult>> => {
    if (!isOver(now.info)) {
      throw refused("rewind", instanceId, `it is ${now.info.status} again`);
    }
    const cut = cutAfter(now.history, placeIn(now, options));
    return nextExecution(tools, "rewind", now, cut, { ...options, idempotencyKeys }, undefined);
  };
  const result = await revise(tools, "rewind", instanceId, begin);
  return finish(tools, "rewind", instanceId, options, result);
}

/** The last event that is kept. */
function placeIn({ info, history }: InstanceState, { toEvent }: RewindOptions): number {
  if (toEvent !== undefined) return toEvent;
  const end = history.findLast(({ type }) => type === "OrchestrationFailed");
  if (end !== undefined) return Number(end.event_id) - 1;
  throw refused("rewind", info.instanceId, `it is ${info.status}, and has not failed`);
}

type NextOptions = ByHand & { readonly idempotencyKeys: "same" | "new" };

/** Whether a termination between two executions has begun this one: what it was to carry over is not in its history. */
function isBegunByItsEnd([first, second]: readonly HistoryEvent[]): boolean {
  if (first?.type !== "OrchestrationStarted" || first.revision !== undefined) return false;
  return second?.type === "OrchestrationCancelRequested" && second.revision?.verb === "terminate";
}

async function nextExecution(
  tools: VerbTools,
  verb: Repeating,
  state: InstanceState,
  cut: Cut,
  options: NextOptions,
  asChild: AsChild | undefined,
): Promise<Planned<RetryResult>> {
  const { info } = state;
  const { instanceId, currentExecutionId } = info;
  if (isBegunByItsEnd(state.history)) {
    throw refused(verb, instanceId, "it was terminated before a turn of its current execution; restart it");
  }
  await refuseForChildren(tools, verb, instanceId, cut);
  const executionId = currentExecutionId + 1;
  const mark = { ...markOf(tools, verb, currentExecutionId, options), kept: lastEventId(cut.kept) };
  const turn = beginExecution({
    ...cut,
    ...asChild,
    instanceId,
    executionId,
    mark,
    keepsKeys: options.idempotencyKeys === "same",
    nowMs: tools.clock.now(),
  });
  const cancels = await cancelsOf(tools, info, cut);
  const restored = await keyValuesFor(tools, verb, state);
  const activities = turn.workerItems.map(({ name, id }) => ({ name, eventId: Number(id) }));
  return {
    revision: {
      turn: { ...turn, orchestratorItems: [...turn.orchestratorItems, ...cancels] },
      ...restored,
      suspended: null,
    },
    result: { executionId, activities, children: [] },
  };
}

async function refuseForChildren(
  tools: VerbTools,
  verb: Repeating,
  instanceId: string,
  cut: Cut,
): Promise<void> {
  const why = await childThatCannot(tools, verb, instanceId, cut);
  if (why !== undefined) throw refused(verb, instanceId, why);
}

async function keyValuesFor(
  tools: VerbTools,
  verb: Repeating,
  state: InstanceState,
): Promise<RestoredKeyValues> {
  const restored = await restoredKeyValues(tools, state);
  if ("refused" in restored) throw refused(verb, state.info.instanceId, restored.refused);
  return restored;
}

/** Cancellations for the children that were begun after the cut and still run. */
async function cancelsOf(
  tools: VerbTools,
  { instanceId, currentExecutionId: executionId }: InstanceInfo,
  cut: Cut,
): Promise<OrchestratorItem[]> {
  const cancels: OrchestratorItem[] = [];
  for (const cancel of cancelsAfter(cut, { instanceId, executionId })) {
    const child = await findInstance(tools.admin, cancel.instance);
    if (child === undefined || isOver(child) || child.parentInstanceId !== instanceId) continue;
    cancels.push(cancel);
  }
  return cancels;
}

async function finish(
  tools: VerbTools,
  verb: Repeating,
  instanceId: string,
  options: ByHand,
  result: RetryResult,
): Promise<RetryResult> {
  logVerb(tools, verb, instanceId, options, { execution_id: result.executionId });
  const parent = await readState(tools, instanceId);
  const { children } = await takeOverChildren(tools, parent, options, retry);
  return { ...result, children };
}

/** Completes a retry or rewind whose process ended before the children followed; `undefined` if there is none. */
async function finishRetry(
  tools: VerbTools,
  instanceId: string,
  options: RetryOptions,
): Promise<RetryResult | undefined> {
  const info = await tools.admin.getInstanceInfo(instanceId);
  if (storedStatus(info.status) !== "Running") return undefined;
  const state = await readState(tools, instanceId, info);
  const { children, hasSent } = await takeOverChildren(tools, state, options, retry);
  if (children.length === 0 && !hasSent) return undefined;
  return { executionId: info.currentExecutionId, activities: [], children };
}

function refused(verb: Repeating, instanceId: string, why: string): RefusedError {
  return new RefusedError(instanceId, `${verb}: instance "${instanceId}" cannot be changed so: ${why}`);
}
