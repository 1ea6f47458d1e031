/** The steps of the cases about fused turns, all of them with instance "a". */
import type { FetchedWork, FusedAck, FusedOutcome, HistoryEvent } from "@duroxide-ts/core/stores";
import type { Caller } from "../context.ts";
import { activity, eventOf, raised, scheduled, startItem } from "../messages.ts";
import { createInstance, given, mustFetchWork } from "../steps.ts";

/** An instance whose activities run. */
export interface Running {
  readonly historyTag: string;
  readonly works: readonly FetchedWork[];
}

/** Instance "a" with activities 2, 3, …, all of them locked. */
export async function running(caller: Caller, count = 1): Promise<Running> {
  const ids = Array.from({ length: count }, (_, index) => index + 2);
  const { historyTag } = await createInstance(caller, "a", {
    historyDelta: ids.map((id) => scheduled("a", id)),
    workerItems: ids.map((id) => activity("a", id)),
  });
  const works: FetchedWork[] = [];
  for (const _ of ids) works.push(await mustFetchWork(caller));
  return { historyTag: given(historyTag, "no history tag"), works };
}

/** The event of the outcome of an activity of instance "a". */
export function completed(eventId: number, activityId: number): HistoryEvent {
  const event = eventOf("ActivityCompleted", "a", eventId, { result: "done" });
  return { ...event, source_event_id: activityId };
}

/** The turn that the outcomes of the works cause: it records them, and does nothing else. */
export function fused({ historyTag, works }: Running, more: Partial<FusedAck> = {}): FusedAck {
  return {
    instanceId: "a",
    historyTag,
    activityTokens: works.map(({ lockToken }) => lockToken),
    executionId: 1,
    historyDelta: works.map(({ item }, index) => completed(works.length + 2 + index, Number(item.id))),
    workerItems: [],
    orchestratorItems: [],
    cancelledActivities: [],
    metadata: {},
    ...more,
  };
}

/** Throws where the store has no such method. */
export async function ackFused({ provider }: Caller, fusedAck: FusedAck): Promise<FusedOutcome> {
  return given(await provider.ackFusedTurn(fusedAck), "no ackFusedTurn");
}

/** A turn with every kind of effect that one on a running instance can have. */
export function fullFusedTurn(state: Running): FusedAck {
  return fused(state, {
    historyDelta: [
      completed(3, 2),
      scheduled("a", 4),
      eventOf("KeyValueSet", "a", 5, { key: "k", value: "v", last_updated_at_ms: 2 }),
      eventOf("CustomStatusUpdated", "a", 6, { status: "after" }),
    ],
    workerItems: [activity("a", 4), activity("a", 5, { tag: "gpu" })],
    cancelledActivities: [{ instanceId: "a", executionId: 1, activityId: 5 }],
    orchestratorItems: [raised("a", "self"), startItem("child")],
    metadata: { tags: { state: "after" } },
  });
}
