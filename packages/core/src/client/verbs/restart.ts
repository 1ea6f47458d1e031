/**
 * Starts an instance that has ended again, with its name, version and input: as the next execution of the same
 * instance, whose earlier executions stay as a record, or under a new id.
 */
import { checkRootId } from "../../define/instance-id.ts";
import { AlreadyExistsError, RefusedError } from "../../errors/duroxide-error.ts";
import { beginExecution } from "../../verbs/next-execution.ts";
import type { EventOf } from "../../wire/event.ts";
import type { WorkItemOf } from "../../wire/work-item.ts";
import { refuseScheduleOf } from "../refuse-schedule.ts";
import { isOver, logVerb, markOf, revise, type VerbTools } from "./revising.ts";
import type { RestartOptions, RestartResult } from "./verb-options.ts";

type Started = EventOf<"OrchestrationStarted">;

export async function restart(
  tools: VerbTools,
  instanceId: string,
  options: RestartOptions,
): Promise<RestartResult> {
  const { newId } = options;
  const first = await firstEvent(tools, instanceId);
  if (newId !== undefined && newId !== instanceId) {
    await startUnder(tools, newId, first);
    logVerb(tools, "restart", instanceId, options, { new_id: newId });
    return { instanceId: newId, executionId: 1 };
  }
  const executionId = await beginAgain(tools, instanceId, options, first);
  logVerb(tools, "restart", instanceId, options, { execution_id: executionId });
  return { instanceId, executionId };
}

/** The first event of the oldest stored execution. */
async function firstEvent({ admin, provider }: VerbTools, instanceId: string): Promise<Started> {
  refuseScheduleOf("restart", await admin.getInstanceInfo(instanceId));
  const [oldest] = await admin.listExecutions(instanceId);
  const [started] = oldest === undefined ? [] : await provider.readHistory(instanceId, oldest.executionId);
  if (started?.type === "OrchestrationStarted") return started;
  throw new RefusedError(instanceId, `restart: the history of instance "${instanceId}" has no beginning`);
}

function beginAgain(
  tools: VerbTools,
  instanceId: string,
  options: RestartOptions,
  first: Started,
): Promise<number> {
  return revise(tools, "restart", instanceId, ({ info }) => {
    if (!isOver(info)) {
      throw new RefusedError(
        instanceId,
        `restart: instance "${instanceId}" is ${info.status}; terminate it first, or give a newId`,
      );
    }
    const of = info.currentExecutionId;
    const executionId = of + 1;
    const {
      deadline_ms: _deadline,
      start_at_ms: _start,
      carry_forward_events: _carried,
      initial_custom_status: _status,
      tags_after: _tags,
      ...kept
    } = first;
    const turn = beginExecution({
      kept: [kept],
      resent: [],
      dropped: [],
      instanceId,
      executionId,
      mark: { ...markOf(tools, "restart", of, options), kept: 1 },
      keepsKeys: false,
      nowMs: tools.clock.now(),
    });
    return { revision: { turn, keyValues: new Map(), suspended: null }, result: executionId };
  });
}

async function startUnder({ provider }: VerbTools, newId: string, first: Started): Promise<void> {
  checkRootId(newId);
  const item: WorkItemOf<"StartOrchestration"> = {
    kind: "StartOrchestration",
    instance: newId,
    orchestration: first.name,
    input: first.input,
    version: first.version,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
    ...(first.tags !== undefined && { tags: first.tags }),
  };
  const outcome = await provider.startInstance(item, { ifExists: "fail", messages: [] });
  if (outcome.kind === "exists") {
    throw new AlreadyExistsError(newId, outcome, "choose another newId");
  }
}
