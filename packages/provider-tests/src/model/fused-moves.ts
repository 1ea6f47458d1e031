/** Random turns that end activities, most of them as a runtime makes them. */
import type { FusedAck } from "@duroxide-ts/core/stores";
import fc, { type Arbitrary } from "fast-check";
import { callOf } from "./call.ts";
import { aCaller, activityOf, aFetch, aMessage, anActivity, messageOf } from "./choices.ts";
import { aDelta, deltaOf } from "./delta-choices.ts";
import { aDrop, droppedOf } from "./drop-choices.ts";
import type { Durations } from "./durations.ts";
import type { CallMove, Situation } from "./situation.ts";

export function ackFusedMove(durations: Durations): Arbitrary<CallMove> {
  const choice = fc.record({
    caller: aCaller,
    works: fc.array(aFetch, { minLength: 1, maxLength: 2 }),
    /** 0 is the latest tag of the instance. */
    tagAge: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constant(1)),
    delta: aDelta,
    activities: fc.array(anActivity, { maxLength: 2 }),
    messages: fc.array(aMessage(durations), { maxLength: 2 }),
    dropped: fc.array(aDrop, { maxLength: 1 }),
    status: fc.option(fc.constantFrom("Completed" as const, "Failed" as const), { nil: undefined, freq: 4 }),
  });
  return choice.map((chosen) => (situation) => {
    const works = chosen.works.flatMap((each) => situation.activity(each) ?? []);
    const instanceId = works[0]?.item.instance;
    if (instanceId === undefined) return undefined;
    const tag = situation.tags.get(instanceId)?.[chosen.tagAge];
    if (tag === undefined) return undefined;
    const executionId = Math.max(1, situation.currentExecution(instanceId));
    const { status } = chosen;
    const ack: FusedAck = {
      instanceId,
      historyTag: named(situation, tag),
      activityTokens: [...new Set(works.map(({ lockToken }) => lockToken))],
      executionId,
      historyDelta: deltaOf(situation, instanceId, executionId, chosen.delta),
      workerItems: chosen.activities.map((each) => activityOf(situation, each)),
      orchestratorItems: chosen.messages.map((each) => messageOf(situation, each)),
      cancelledActivities: [],
      droppedTimers: droppedOf(situation, instanceId, chosen.dropped),
      metadata: status === undefined ? {} : { status, output: "done" },
    };
    return callOf(chosen.caller, "ackFusedTurn", ack);
  });
}

/** Written as the field of the commit that answered with it. */
function named({ names }: Situation, { tag, text }: { readonly tag: string; readonly text: string }): string {
  names.set(tag, text);
  return tag;
}
