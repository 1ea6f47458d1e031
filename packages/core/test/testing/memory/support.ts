/** A provider in memory and in virtual time, and the few calls that its tests are made of. */
import type { FetchedOrchestration, FetchedWork, OrchestrationAck } from "../../../src/contract/provider.ts";
import { MemoryProvider, VirtualClock } from "../../../src/testing/index.ts";
import type { EventPayloads, EventType, HistoryEvent } from "../../../src/wire/event.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../../../src/wire/work-item.ts";

const LOCK_MS = 30_000;

export class Bench {
  readonly clock = new VirtualClock();
  /** Warnings of the provider, as `instance: message`. */
  readonly warnings: string[] = [];
  readonly provider = new MemoryProvider({
    clock: this.clock,
    onWarning: (message, { instanceId }) => this.warnings.push(`${instanceId}: ${message}`),
  });

  fetch(pollTimeoutMs = 0): Promise<FetchedOrchestration | undefined> {
    return this.provider.fetchOrchestrationItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs });
  }

  fetchWork(): Promise<FetchedWork | undefined> {
    const tagFilter = { kind: "default-only" } as const;
    return this.provider.fetchWorkItem({ lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0, tagFilter });
  }

  /** Commits the next turn of whichever instance is due. */
  async turn(parts: Partial<OrchestrationAck> = {}): Promise<void> {
    const fetched = await this.fetch();
    if (fetched === undefined) throw new Error("nothing to fetch");
    await this.provider.ackOrchestrationItem({
      lockToken: fetched.lockToken,
      executionId: 1,
      historyDelta: [],
      workerItems: [],
      orchestratorItems: [],
      metadata: {},
      cancelledActivities: [],
      ...parts,
    });
  }

  /** An instance whose first turn is committed. */
  async create(instanceId: string, parts: Partial<OrchestrationAck> = {}): Promise<void> {
    await this.provider.enqueueForOrchestrator(start(instanceId));
    const metadata = { orchestrationName: "Test", orchestrationVersion: "1.0.0", ...parts.metadata };
    await this.turn({ ...parts, metadata });
  }
}

export function start(instance: string): WorkItemOf<"StartOrchestration"> {
  return {
    kind: "StartOrchestration",
    instance,
    orchestration: "Test",
    input: "{}",
    version: "1.0.0",
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  };
}

export function raised(instance: string): OrchestratorItem {
  return { kind: "ExternalRaised", instance, name: "poke", data: "null" };
}

export function queued(instance: string): OrchestratorItem {
  return { kind: "QueueMessage", instance, name: "q", data: "null" };
}

export function work(instance: string, id: number): ActivityExecute {
  return { kind: "ActivityExecute", instance, execution_id: 1, id, name: "act", input: "{}" };
}

export function event<T extends EventType>(
  instanceId: string,
  id: number,
  type: T,
  payload: EventPayloads[T],
): HistoryEvent {
  const envelope = {
    event_id: id,
    source_event_id: null,
    instance_id: instanceId,
    execution_id: 1,
    timestamp_ms: 5,
    duroxide_version: "0.1.30",
  };
  return { ...envelope, type, ...(payload as object) } as HistoryEvent;
}
