/**
 * Stores an instance with its histories, each as one turn. The import uses the queue of the store, so no worker may run
 * on it: an item of another instance ends the import.
 */
import type { HistoryEvent, Provider } from "@duroxide-ts/core";
import {
  displayMessage,
  type ExecutionMetadata,
  isTerminal,
  type OrchestratorItem,
  parseSemver,
} from "@duroxide-ts/core/stores";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import type { InstanceRecord } from "./instance-record.ts";

const LOCK_MS = 60_000;

type Started = Extract<HistoryEvent, { readonly type: "OrchestrationStarted" }>;

/** False, and nothing is stored, if the instance exists. */
export async function storeRecord(
  provider: Provider,
  { instanceId, executions }: InstanceRecord,
): Promise<boolean> {
  if ((await provider.getInstanceStatus(instanceId)) !== undefined) return false;
  for (const [at, events] of executions.entries()) {
    const [started] = events;
    if (started?.type !== "OrchestrationStarted") {
      throw new CommandError(EXIT.failed, `The first event of ${instanceId} is no start`);
    }
    await storeExecution(provider, instanceId, started, events, at === 0);
  }
  return true;
}

async function storeExecution(
  provider: Provider,
  instanceId: string,
  started: Started,
  events: readonly HistoryEvent[],
  first: boolean,
): Promise<void> {
  await provider.enqueueForOrchestrator(startItem(instanceId, started, first));
  const fetched = await provider.fetchOrchestrationItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 1_000 });
  if (fetched?.item.instanceId !== instanceId) {
    if (fetched !== undefined)
      await provider.abandonOrchestrationItem(fetched.lockToken, { ignoreAttempt: true });
    throw new CommandError(EXIT.failed, "The store has work of its own; import into a store without workers");
  }
  await provider.ackOrchestrationItem({
    lockToken: fetched.lockToken,
    // Executions that were pruned before the export are missing, so they are numbered anew by the store.
    executionId: first ? fetched.item.executionId : fetched.item.executionId + 1,
    historyDelta: events,
    workerItems: [],
    orchestratorItems: [],
    metadata: metadataOf(started, events),
    cancelledActivities: [],
  });
}

function startItem(instance: string, started: Started, first: boolean): OrchestratorItem {
  const { name: orchestration, input, version } = started;
  if (!first)
    return { kind: "ContinueAsNew", instance, orchestration, input, version, carry_forward_events: [] };
  return {
    kind: "StartOrchestration",
    instance,
    orchestration,
    input,
    version,
    parent_instance: started.parent_instance,
    parent_id: started.parent_id,
    execution_id: 1,
  };
}

function metadataOf(started: Started, events: readonly HistoryEvent[]): ExecutionMetadata {
  const { name, version, parent_instance: parent, duroxide_version: stamp } = started;
  const pinnedVersion = parseSemver(stamp);
  return {
    orchestrationName: name,
    orchestrationVersion: version,
    ...(parent !== null && { parentInstanceId: parent }),
    ...(pinnedVersion !== undefined && { pinnedVersion }),
    ...endOf(events.findLast(isTerminal)),
  };
}

function endOf(terminal: HistoryEvent | undefined): ExecutionMetadata {
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
