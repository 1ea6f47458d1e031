/** A provider in virtual time, and the calls that its tests are made of, with the options that rarely matter. */
import type {
  ExecutionMetadata,
  FetchedOrchestration,
  FetchedWork,
  FetchWorkOptions,
  OrchestrationAck,
} from "../../../src/contract/provider.ts";
import { MemoryProvider, SeededRandom, VirtualClock } from "../../../src/testing/index.ts";
import type { EventPayloads, EventType, HistoryEvent } from "../../../src/wire/event.ts";
import { parseSemver, type Semver, type VersionRange } from "../../../src/wire/version.ts";
import type { ActivityExecute, OrchestratorItem, WorkItemOf } from "../../../src/wire/work-item.ts";

export const LOCK_MS = 30_000;

type AckParts = Partial<Omit<OrchestrationAck, "lockToken">>;

export class Bench {
  readonly clock = new VirtualClock();
  readonly provider = new MemoryProvider({ clock: this.clock, random: new SeededRandom() });

  fetch(
    options: { versions?: readonly VersionRange[]; lockMs?: number; held?: string } = {},
  ): Promise<FetchedOrchestration | undefined> {
    const { versions, lockMs = LOCK_MS, held } = options;
    return this.provider.fetchOrchestrationItem({
      lockTimeoutMs: lockMs,
      pollTimeoutMs: 0,
      ...(versions && { supportedVersions: versions }),
      ...(held !== undefined && { heldHistory: () => held }),
    });
  }

  /** A fetch that must find something. */
  async take(options?: Parameters<Bench["fetch"]>[0]): Promise<FetchedOrchestration> {
    return given(await this.fetch(options));
  }

  fetchWork(options: Partial<FetchWorkOptions> = {}): Promise<FetchedWork | undefined> {
    return this.provider.fetchWorkItem({
      lockTimeoutMs: LOCK_MS,
      pollTimeoutMs: 0,
      tagFilter: { kind: "default-only" },
      ...options,
    });
  }

  async takeWork(options?: Partial<FetchWorkOptions>): Promise<FetchedWork> {
    return given(await this.fetchWork(options));
  }

  async ack(lockToken: string, parts: AckParts = {}): Promise<string | undefined> {
    const nothing = {
      executionId: 1,
      historyDelta: [],
      workerItems: [],
      orchestratorItems: [],
      metadata: {},
      cancelledActivities: [],
    };
    const { historyTag } = await this.provider.ackOrchestrationItem({ ...nothing, ...parts, lockToken });
    return historyTag;
  }

  enqueue(item: OrchestratorItem, delayMs?: number): Promise<void> {
    return this.provider.enqueueForOrchestrator(item, delayMs);
  }

  /** Started and committed, still running. */
  async create(instanceId: string, { metadata, ...parts }: AckParts = {}): Promise<void> {
    await this.enqueue(start(instanceId));
    const { lockToken } = await this.take();
    await this.ack(lockToken, {
      historyDelta: [started(instanceId)],
      ...parts,
      metadata: { ...NAMED, ...metadata },
    });
  }

  /** A further turn of an instance that nothing else competes with. */
  async turn(instanceId: string, parts: AckParts = {}): Promise<void> {
    await this.enqueue(raised(instanceId));
    const { lockToken, item } = await this.take();
    await this.ack(lockToken, { executionId: item.executionId, ...parts });
  }

  complete(instanceId: string, parts: AckParts = {}): Promise<void> {
    return this.turn(instanceId, {
      ...parts,
      metadata: { status: "Completed", output: "done", ...parts.metadata },
    });
  }
}

export const NAMED: ExecutionMetadata = { orchestrationName: "Test", orchestrationVersion: "1.0.0" };

export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing was there");
  return value;
}

export function start(instance: string, version: string | null = "1.0.0"): WorkItemOf<"StartOrchestration"> {
  return {
    kind: "StartOrchestration",
    instance,
    orchestration: "Test",
    input: "{}",
    version,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  };
}

export function raised(instance: string, name = "poke"): OrchestratorItem {
  return { kind: "ExternalRaised", instance, name, data: "null" };
}

export function queued(instance: string, name = "q"): OrchestratorItem {
  return { kind: "QueueMessage", instance, name, data: "null" };
}

export function timer(instance: string, fireAtMs: number): OrchestratorItem {
  return { kind: "TimerFired", instance, execution_id: 1, id: 2, fire_at_ms: fireAtMs };
}

export function work(
  instance: string,
  id: number,
  options: { session_id?: string; tag?: string } = {},
): ActivityExecute {
  return { kind: "ActivityExecute", instance, execution_id: 1, id, name: "act", input: "{}", ...options };
}

export function completed(instance: string, id: number): WorkItemOf<"ActivityCompleted"> {
  return { kind: "ActivityCompleted", instance, execution_id: 1, id, result: "1" };
}

export function event<T extends EventType>(
  instanceId: string,
  id: number,
  type: T,
  payload: EventPayloads[T],
  executionId = 1,
): HistoryEvent {
  const envelope = {
    event_id: id,
    source_event_id: null,
    instance_id: instanceId,
    execution_id: executionId,
    timestamp_ms: 5,
    duroxide_version: "0.1.30",
  };
  return { ...envelope, type, ...(payload as object) } as HistoryEvent;
}

export function started(instanceId: string, executionId = 1, more: object = {}): HistoryEvent {
  const payload = {
    name: "Test",
    version: "1.0.0",
    input: "{}",
    parent_instance: null,
    parent_id: null,
    ...more,
  };
  return event(instanceId, 1, "OrchestrationStarted", payload, executionId);
}

export function version(text: string): Semver {
  return given(parseSemver(text));
}

export function range(min: string, max: string): VersionRange {
  return { min: version(min), max: version(max) };
}

/** What identifies a message in these tests. */
export function labels(fetched: FetchedOrchestration | undefined): string[] | undefined {
  return fetched?.item.messages.map((message) => ("name" in message ? message.name : message.kind));
}

export function code(expected: string): object {
  return { name: "ProviderError", code: expected, retryable: false };
}
