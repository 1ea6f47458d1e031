/**
 * Retries a failed instance, or rewinds one: both begin the next execution with a part of the history of the current
 * one (docs/decisions/0041).
 */
import type { InstanceInfo } from "../../contract/instance-info.ts";
import type { KvEntry } from "../../contract/provider.ts";
import { RefusedError } from "../../errors/duroxide-error.ts";
import { type Cut, cutAfter, cutBeforeFailure } from "../../verbs/cut.ts";
import { changesKeyValues, keyValuesBefore } from "../../verbs/key-values.ts";
import { beginExecution, cancelsAfter } from "../../verbs/next-execution.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { childThatCannot, takeOverChildren } from "./children.ts";
import {
  type AsChild,
  findInstance,
  type InstanceState,
  isOver,
  lastEventId,
  logVerb,
  markOf,
  type Planned,
  readState,
  revise,
  type VerbTools,
} from "./revising.ts";
import { endQuietly } from "./terminate.ts";
import type { ByHand, RetryOptions, RetryResult, RewindOptions, Verb } from "./verb-options.ts";

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
    if (state.info.status !== "Failed") throw refused("retry", instanceId, `it is ${state.info.status}`);
    const cut = cutBeforeFailure(state.history);
    if ("refused" in cut) throw refused("retry", instanceId, cut.refused);
    const child = await childThatCannot(tools, instanceId, cut);
    if (child !== undefined) throw refused("retry", instanceId, child);
    return nextExecution(tools, "retry", state, cut, { ...options, idempotencyKeys }, asChild);
  });
  return finish(tools, "retry", instanceId, options, result);
}

export async function rewind(
  tools: VerbTools,
  instanceId: string,
  options: RewindOptions,
): Promise<RetryResult> {
  const { idempotencyKeys = "new", toEvent } = options;
  const state = await readState(tools, instanceId);
  if (toEvent > lastEventId(state.history)) {
    const last = lastEventId(state.history);
    throw refused("rewind", instanceId, `its current execution has no event ${toEvent}; the last is ${last}`);
  }
  if (!isOver(state.info)) {
    // Refused before anything has ended.
    await keyValuesFor(tools, "rewind", state);
    await revise(tools, "rewind", instanceId, (now) => endQuietly(tools, "rewind", now, options));
  }
  const result = await revise(tools, "rewind", instanceId, async (now) => {
    if (!isOver(now.info)) throw refused("rewind", instanceId, `it is ${now.info.status} again`);
    const cut = cutAfter(now.history, toEvent);
    return nextExecution(tools, "rewind", now, cut, { ...options, idempotencyKeys }, undefined);
  });
  return finish(tools, "rewind", instanceId, options, result);
}

type NextOptions = ByHand & { readonly idempotencyKeys: "same" | "new" };

async function nextExecution(
  tools: VerbTools,
  verb: Verb,
  { info, history }: InstanceState,
  cut: Cut,
  options: NextOptions,
  asChild: AsChild | undefined,
): Promise<Planned<RetryResult>> {
  const { instanceId, currentExecutionId } = info;
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
  const keyValues = await keyValuesFor(tools, verb, { info, history });
  const activities = turn.workerItems.map(({ name, id }) => ({ name, eventId: Number(id) }));
  return {
    revision: {
      turn: { ...turn, orchestratorItems: [...turn.orchestratorItems, ...cancels] },
      ...(keyValues !== undefined && { keyValues }),
      suspended: null,
    },
    result: { executionId, activities, children: [] },
  };
}

/** The key-values at the cut. Computed only for an execution that has changed them. */
async function keyValuesFor(
  { provider }: VerbTools,
  verb: Verb,
  { info, history }: InstanceState,
): Promise<ReadonlyMap<string, KvEntry> | undefined> {
  if (!changesKeyValues(history)) return undefined;
  const { instanceId, currentExecutionId } = info;
  const read = (executionId: number) => provider.readHistory(instanceId, executionId);
  const entries = await keyValuesBefore(read, currentExecutionId, history[0]);
  if (entries !== undefined) return entries;
  throw refused(
    verb,
    instanceId,
    "it has set key-values, and the history of an earlier execution, with those that it began with, was pruned",
  );
}

/** Cancellations for the children that were begun after the cut and still run. */
async function cancelsOf(
  tools: VerbTools,
  { instanceId, currentExecutionId: executionId }: InstanceInfo,
  cut: Cut,
): Promise<OrchestratorItem[]> {
  const cancels: OrchestratorItem[] = [];
  for (const cancel of cancelsAfter(cut, { instanceId, executionId })) {
    const child = await findInstance(tools, cancel.instance);
    if (child === undefined || isOver(child) || child.parentInstanceId !== instanceId) continue;
    cancels.push(cancel);
  }
  return cancels;
}

async function finish(
  tools: VerbTools,
  verb: Verb,
  instanceId: string,
  options: ByHand,
  result: RetryResult,
): Promise<RetryResult> {
  logVerb(tools, verb, instanceId, options, { execution_id: result.executionId });
  const children = await takeOverChildren(tools, instanceId, options, retry);
  return { ...result, children };
}

/** Completes a retry whose process ended before it changed the children; `undefined` if there is none. */
async function finishRetry(
  tools: VerbTools,
  instanceId: string,
  options: RetryOptions,
): Promise<RetryResult | undefined> {
  const info = await tools.admin.getInstanceInfo(instanceId);
  if (info.status !== "Running") return undefined;
  const { history } = await readState(tools, instanceId, info);
  const [started] = history;
  if (started?.type !== "OrchestrationStarted" || started.revision === undefined) return undefined;
  const children = await takeOverChildren(tools, instanceId, options, retry);
  if (children.length === 0) return undefined;
  return { executionId: info.currentExecutionId, activities: [], children };
}

function refused(verb: Verb, instanceId: string, why: string): RefusedError {
  return new RefusedError(instanceId, `${verb}: instance "${instanceId}" cannot be changed so: ${why}`);
}
