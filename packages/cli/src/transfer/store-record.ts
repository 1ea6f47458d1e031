/**
 * Stores an instance with its histories, each in one commit. The last commit gives the instance its name, and suspends
 * it if it runs. Before it the instance is a placeholder, which the next import of the same file completes
 * (docs/decisions/verbs.md).
 */
import type { HistoryEvent, Provider } from "@duroxide-ts/core";
import { findInstance } from "@duroxide-ts/core/operate";
import {
  displayMessage,
  type ExecutionMetadata,
  type ExpectedState,
  encodeEvent,
  hasEnded,
  isTerminal,
  parseSemver,
  type Suspended,
  tagsOfHistory,
} from "@duroxide-ts/core/stores";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import type { Family } from "./family.ts";
import type { InstanceRecord } from "./instance-record.ts";
import { isPlaceholder, storePlaceholder } from "./placeholder.ts";
import { changesOf } from "./stream-record.ts";

type Events = readonly HistoryEvent[];
type Started = Extract<HistoryEvent, { readonly type: "OrchestrationStarted" }>;

/** Whether the store has the instance; `half`: without the last commit of its import. */
export type Presence = "absent" | "half" | "whole";

/** Data of the whole import. */
export interface ImportRun {
  readonly nowMs: number;
  readonly family: Family;
}

/** Reads only. */
export async function presenceOf(provider: Provider, instanceId: string): Promise<Presence> {
  const info = await findInstance(provider.admin, instanceId);
  if (info === undefined) return "absent";
  return isPlaceholder(info) ? "half" : "whole";
}

/** Whether the instance has not ended, so that it is suspended. */
export function isOpen({ executions }: InstanceRecord): boolean {
  return !hasEnded(endOf(executions.at(-1) ?? []).status ?? "Running");
}

/**
 * False, and nothing is stored, if the store has the whole instance. Rejects with a `CommandError` for a child that its
 * parent has not started, and for an instance that is half imported from another file.
 */
export async function storeRecord(
  provider: Provider,
  record: InstanceRecord,
  { nowMs, family }: ImportRun,
): Promise<boolean> {
  const { instanceId, executions } = record;
  const { parent_instance: parent } = startOf(instanceId, executions[0] ?? []);
  const presence = await presenceOf(provider, instanceId);
  if (presence === "whole") return false;
  if (parent !== null) await family.check(provider, record, parent);
  if (presence === "absent") await storePlaceholder(provider, instanceId, parent);
  const stored = presence === "half" ? await storedExecutions(provider, record) : 0;
  for (let at = stored; at < executions.length; at++) {
    if (at === executions.length - 1) await storeStreams(provider, record);
    await storeExecution(provider, record, at, nowMs);
  }
  return true;
}

/** How many of the executions an earlier import has stored. */
async function storedExecutions(
  provider: Provider,
  { instanceId, executions }: InstanceRecord,
): Promise<number> {
  const { currentExecutionId } = await provider.admin.getInstanceInfo(instanceId);
  for (let executionId = 1; executionId <= currentExecutionId; executionId++) {
    const history = await provider.readHistory(instanceId, executionId);
    // The placeholder has no event.
    if (history.length === 0) return executionId - 1;
    if (executionId >= executions.length || !isSame(history, executions[executionId - 1]))
      throw otherFile(instanceId);
  }
  return currentExecutionId;
}

function isSame(history: Events, events: Events = []): boolean {
  return (
    history.length === events.length &&
    history.every((event, at) => {
      const other = events[at];
      return other !== undefined && encodeEvent(event) === encodeEvent(other);
    })
  );
}

function otherFile(instanceId: string): CommandError {
  return new CommandError(
    EXIT.failed,
    `${instanceId} is half imported from another file`,
    "import that file again, or remove the instance with duroxide delete --force",
  );
}

/**
 * While the instance is a placeholder, so that nobody reads half of them. What an import has stored that ended before is
 * left as it is.
 */
async function storeStreams(
  provider: Provider,
  { instanceId, executions, streams = [] }: InstanceRecord,
): Promise<void> {
  if (streams.length === 0) return;
  const known = new Map((await provider.listStreams?.(instanceId))?.map((each) => [each.stream, each.next]));
  for (const change of changesOf(streams)) {
    const next = known.get(change.stream);
    if (next !== undefined && next > (change.origin?.offset ?? -1)) continue;
    const at = Math.max(1, executions.length - 1);
    const outcome = await provider.admin.reviseInstance({
      instanceId,
      expected: stateAfter(executions, executions.length - 1),
      turn: {
        executionId: at,
        historyDelta: [],
        workerItems: [],
        orchestratorItems: [],
        metadata: {},
        cancelledActivities: [],
        streams: [change],
      },
    });
    if (outcome.kind !== "revised")
      throw new CommandError(EXIT.failed, `${instanceId} was changed during its import; import it again`);
  }
}

/** Executions that were pruned before the export are missing, so they are numbered anew. */
async function storeExecution(
  provider: Provider,
  record: InstanceRecord,
  at: number,
  nowMs: number,
): Promise<void> {
  const { instanceId, executions } = record;
  const events = executions[at] ?? [];
  const isLast = at === executions.length - 1;
  const outcome = await provider.admin.reviseInstance({
    instanceId,
    expected: stateAfter(executions, at),
    turn: {
      executionId: at + 1,
      historyDelta: events,
      workerItems: [],
      orchestratorItems: [],
      metadata: metadataOf(startOf(instanceId, events), events, isLast),
      cancelledActivities: [],
    },
    suspended: isLast && !isOpen(record) ? null : suspendedNow(isLast, nowMs),
  });
  if (outcome.kind === "revised") return;
  throw new CommandError(EXIT.failed, `${instanceId} was changed during its import; import it again`);
}

/** The state of the instance when so many executions are stored. */
function stateAfter(executions: InstanceRecord["executions"], stored: number): ExpectedState {
  const events = executions[stored - 1] ?? [];
  const { status = "Running" } = endOf(events);
  const lastEventId = events.reduce((last, { event_id: id }) => Math.max(last, Number(id)), 0);
  return { executionId: Math.max(1, stored), status, lastEventId };
}

function suspendedNow(isLast: boolean, sinceMs: number): Suspended {
  const reason = isLast ? "imported" : "its import is not complete: import the file again";
  return { sinceMs, reason, by: "duroxide import" };
}

function startOf(instanceId: string, [started]: Events): Started {
  if (started?.type === "OrchestrationStarted") return started;
  throw new CommandError(EXIT.failed, `The first event of ${instanceId} is no start`);
}

/** Metadata of an execution. The last one has the name, with which the instance becomes what it is. */
function metadataOf(
  { name, version, duroxide_version: stamp }: Started,
  events: Events,
  isLast: boolean,
): ExecutionMetadata {
  const pinnedVersion = parseSemver(stamp);
  return {
    ...(isLast && { orchestrationName: name, orchestrationVersion: version, tags: tagsOfHistory(events) }),
    ...(pinnedVersion !== undefined && { pinnedVersion }),
    ...endOf(events),
  };
}

function endOf(events: Events): Pick<ExecutionMetadata, "status" | "output"> {
  const terminal = events.findLast(isTerminal);
  switch (terminal?.type) {
    case "OrchestrationCompleted":
      return { status: "Completed", output: terminal.output };
    case "OrchestrationFailed":
      return { status: "Failed", output: displayMessage(terminal.details) };
    case "OrchestrationContinuedAsNew":
      return { status: "ContinuedAsNew", output: terminal.input };
    default:
      return {};
  }
}
