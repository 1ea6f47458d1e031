/** Executions that are there already when a runtime comes, as an earlier one left them. */
import {
  type EventPayloads,
  type EventType,
  type FetchedOrchestration,
  type HistoryEvent,
  type OrchestrationAck,
  type OrchestratorItem,
  parseSemver,
} from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import { continueItem, eventOf, startItem } from "../messages.ts";
import { ack, given, mustFetch } from "../steps.ts";

/** A line of a history: the type, its payload, and which event it answers. */
export type Line = {
  [T in EventType]: readonly [type: T, payload: EventPayloads[T], source?: number];
}[EventType];

/** The first line of a history. */
export function begun(
  orchestration: string,
  more: Partial<EventPayloads["OrchestrationStarted"]> = {},
): Line {
  const payload = { version: "1.0.0", input: "null", parent_instance: null, parent_id: null };
  return ["OrchestrationStarted", { name: orchestration, ...payload, ...more }];
}

/** The lines as events of execution 1, numbered from 1, written by a runtime of the version `stamp`. */
export function eventsOf(instance: string, stamp: string, lines: readonly Line[]): readonly HistoryEvent[] {
  return lines.map(([type, payload, source], index) => ({
    ...eventOf(type, instance, index + 1, payload),
    source_event_id: source ?? null,
    duroxide_version: stamp,
  }));
}

/** Leftovers of an instance from an earlier runtime. */
export interface Leftover {
  readonly instance: string;
  readonly events: readonly HistoryEvent[];
  /** Sent while the instance was locked, so ahead of what its turn queues. */
  readonly sentMeanwhile?: readonly OrchestratorItem[];
  readonly status?: "ContinuedAsNew";
  readonly orchestratorItems?: readonly OrchestratorItem[];
}

/** Stores each execution as one turn. It is pinned to the version that stamped it. */
export async function leave(context: CaseContext, ...leftovers: readonly Leftover[]): Promise<void> {
  for (const { instance } of leftovers) await context.provider.enqueueForOrchestrator(startItem(instance));
  const fetched = new Map<string, FetchedOrchestration>();
  while (fetched.size < leftovers.length) {
    const next = await mustFetch(context);
    fetched.set(next.item.instanceId, next);
  }
  for (const leftover of leftovers) {
    for (const item of leftover.sentMeanwhile ?? []) await context.provider.enqueueForOrchestrator(item);
    const own = given(fetched.get(leftover.instance), `no start of ${leftover.instance}`);
    await ack(context, own, turnOfLeftover(leftover));
  }
}

function turnOfLeftover({ events, status, orchestratorItems = [] }: Leftover): Partial<OrchestrationAck> {
  const [first] = events;
  if (first?.type !== "OrchestrationStarted") throw new Error("a history begins with OrchestrationStarted");
  const pinnedVersion = parseSemver(first.duroxide_version);
  return {
    historyDelta: events,
    orchestratorItems,
    metadata: {
      orchestrationName: first.name,
      orchestrationVersion: first.version,
      ...(pinnedVersion !== undefined && { pinnedVersion }),
      ...(status !== undefined && { status, output: "null" }),
    },
  };
}

/** An instance whose execution 1 has continued as new; execution 2, which inherits a message, has not begun. */
export function continued(instance: string, stamp: string, input = "null"): Leftover {
  const events = eventsOf(instance, stamp, [
    begun("Moving"),
    ["ActivityScheduled", { name: "work", input: "null" }],
    ["TimerCreated", { fire_at_ms: 1 }],
    ["OrchestrationContinuedAsNew", { input }],
  ]);
  const start = continueItem(instance, {
    orchestration: "Moving",
    input,
    carry_forward_events: [["inbox", '"carried"']],
  });
  return { instance, events, status: "ContinuedAsNew", orchestratorItems: [start] };
}

export function late(instance: string): OrchestratorItem {
  return { kind: "QueueMessage", instance, name: "inbox", data: '"late"' };
}
