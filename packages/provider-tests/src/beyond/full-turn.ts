/** A turn that has every kind of effect, on an instance with data of every kind. */
import type { FetchedOrchestration, OrchestrationAck } from "@duroxide-ts/core/stores";
import type { Caller } from "../context.ts";
import { activity, eventOf, raised, scheduled, startItem, timer, turnOf } from "../messages.ts";
import { createInstance, mustFetch } from "../steps.ts";

/** Time at which a timer fires that no case waits for, ms since the epoch. */
const FAR_MS = 8_000_000_000_000;

/** Instance "a" with two activities, a timer, KV and a custom status, locked with one message in the batch. */
export async function instanceInTurn(caller: Caller): Promise<FetchedOrchestration> {
  await createInstance(caller, "a", {
    historyDelta: [
      eventOf("KeyValueSet", "a", 2, { key: "kept", value: "old", last_updated_at_ms: 1 }),
      eventOf("CustomStatusUpdated", "a", 3, { status: "before" }),
    ],
    workerItems: [activity("a", 10), activity("a", 11)],
    orchestratorItems: [timer("a", FAR_MS, 8)],
    metadata: { tags: { state: "before" } },
  });
  await caller.provider.enqueueForOrchestrator(raised("a", "poke"));
  return mustFetch(caller);
}

/** Ends the instance, and changes all data that a commit can change. */
export function fullTurn(fetched: FetchedOrchestration): OrchestrationAck {
  return turnOf(fetched, {
    historyDelta: [
      scheduled("a", 4),
      eventOf("KeyValueSet", "a", 5, { key: "kept", value: "new", last_updated_at_ms: 2 }),
      eventOf("KeyValueSet", "a", 6, { key: "added", value: "x", last_updated_at_ms: 2 }),
      eventOf("CustomStatusUpdated", "a", 7, { status: "after" }),
    ],
    workerItems: [activity("a", 12), activity("a", 13, { tag: "gpu" })],
    cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: 11 }],
    droppedTimers: [{ executionId: 1, timerId: 8, fireAtMs: FAR_MS }],
    orchestratorItems: [raised("a", "self"), startItem("child"), timer("a", 1)],
    metadata: {
      status: "Completed",
      output: "done",
      orchestrationName: "Renamed",
      orchestrationVersion: "2.0.0",
      tags: { state: "after" },
    },
  });
}
