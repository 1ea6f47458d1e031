/** Random commits of turns, most of them as a runtime makes them, some as it must not. */
import type { ExecutionMetadata, FetchedOrchestration, Tags } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { queueMessage, semver, turnOf } from "../messages.ts";
import { callOf } from "./call.ts";
import {
  aCaller,
  activityOf,
  aFetch,
  aMessage,
  anActivity,
  anInstance,
  INSTANCES,
  idOf,
  messageOf,
} from "./choices.ts";
import { aDelta, deltaOf } from "./delta-choices.ts";
import { aDrop, droppedOf } from "./drop-choices.ts";
import type { Durations } from "./durations.ts";
import type { CallMove, Situation } from "./situation.ts";

const VERSIONS = ["1.2.3", "2.0.0", "3.1.0"] as const;

interface MetadataChoice {
  readonly isNamed: boolean;
  readonly pinnedVersion: string | undefined;
  readonly status: ExecutionMetadata["status"] | undefined;
  readonly output: string | null;
  readonly parent: string | undefined;
  readonly tags: Tags | undefined;
}

const someMetadata: Arbitrary<MetadataChoice> = fc.record({
  isNamed: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  pinnedVersion: fc.option(fc.constantFrom(...VERSIONS), { nil: undefined }),
  status: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom("Completed" as const, "Failed" as const) },
    { weight: 1, arbitrary: fc.constant("ContinuedAsNew" as const) },
  ),
  output: fc.constantFrom("done", null),
  parent: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, anInstance),
  tags: fc.option(fc.dictionary(fc.constantFrom("t", "u"), fc.constantFrom(1, "1", true), { maxKeys: 2 }), {
    nil: undefined,
    freq: 2,
  }),
});

export function ackMove(durations: Durations): Arbitrary<CallMove> {
  const choice = fc.record({
    caller: aCaller,
    fetch: aFetch,
    isForged: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.constant(true)),
    /** Begins the next execution where the current one has ended. */
    isNext: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    delta: aDelta,
    activities: fc.array(anActivity, { maxLength: 3 }),
    messages: fc.array(aMessage(durations), { maxLength: 3 }),
    returned: fc.nat(2),
    cancelled: fc.array(anActivity, { maxLength: 2 }),
    dropped: fc.array(aDrop, { maxLength: 2 }),
    metadata: someMetadata,
  });
  return choice.map((chosen) => (situation) => {
    const fetched = situation.orchestration(chosen.fetch);
    if (fetched === undefined) return undefined;
    const { instanceId } = fetched.item;
    const executionId = executionOf(situation, fetched, chosen.isNext);
    const historyDelta = deltaOf(situation, instanceId, executionId, chosen.delta);
    const activities = chosen.activities.map((each) => activityOf(situation, each));
    const messages = chosen.messages.map((each) => messageOf(situation, each));
    const continues = chosen.metadata.status === "ContinuedAsNew";
    const returned = Array.from({ length: continues ? chosen.returned : 0 }, () =>
      queueMessage(instanceId, `returned${situation.serial()}`),
    );
    const ack = situation.made(turnOf, chosen.isForged ? forged(situation, fetched) : fetched, {
      ...(executionId !== fetched.item.executionId && { executionId }),
      ...filled("historyDelta", historyDelta),
      ...filled("workerItems", activities),
      ...filled("orchestratorItems", messages),
      ...filled("returnedMessages", returned),
      ...filled("cancelledActivities", chosen.cancelled.map(idOf)),
      ...filled("droppedTimers", droppedOf(situation, instanceId, chosen.dropped)),
      metadata: metadataOf(situation, instanceId, chosen.metadata),
    });
    return callOf(chosen.caller, "ackOrchestrationItem", ack);
  });
}

function forged(situation: Situation, fetched: FetchedOrchestration): FetchedOrchestration {
  const text = `{ ...${situation.names.get(fetched)}, lockToken: "forged" }`;
  return situation.written({ ...fetched, lockToken: "forged" }, text);
}

function filled<K extends string, T>(key: K, values: readonly T[]): Partial<Record<K, readonly T[]>> {
  return values.length === 0 ? {} : ({ [key]: values } as Record<K, readonly T[]>);
}

function executionOf(situation: Situation, { item }: FetchedOrchestration, isNext: boolean): number {
  const status = situation.statusOf(item.instanceId, item.executionId);
  const hasEnded = status !== undefined && status !== "Running";
  return isNext && hasEnded ? item.executionId + 1 : item.executionId;
}

/** Only an instance that exists is named as a parent. */
function metadataOf(situation: Situation, instance: string, choice: MetadataChoice): ExecutionMetadata {
  const { isNamed, pinnedVersion, status, output, parent, tags } = choice;
  const hasParent = parent !== undefined && parent !== instance && situation.exists(parent);
  return {
    ...(isNamed && {
      orchestrationName: "TestOrch",
      orchestrationVersion: `1.0.${INSTANCES.indexOf(instance as "i1")}`,
    }),
    ...(pinnedVersion !== undefined && { pinnedVersion: situation.made(semver, pinnedVersion) }),
    ...(status !== undefined && { status, output }),
    ...(hasParent && { parentInstanceId: parent }),
    ...(tags !== undefined && { tags }),
  };
}
