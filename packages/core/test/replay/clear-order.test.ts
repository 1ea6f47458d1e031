/**
 * Keys that the code deletes one after the other may stand in history in another order (runtime-semantics §1.5;
 * emitted-actions.E1).
 */
import { expect, test } from "vitest";
import type { FetchedOrchestration } from "../../src/contract/provider.ts";
import { orchestration } from "../../src/define/definitions.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";
import { runScript } from "../support/run-script.ts";

const event = (id: number, rest: object) =>
  ({
    event_id: id,
    source_event_id: null,
    instance_id: "i",
    execution_id: 1,
    timestamp_ms: 1,
    duroxide_version: "0.1.32",
    ...rest,
  }) as HistoryEvent;

const clearing = orchestration("Clearing", async (ctx) => {
  for (const key of ["a", "b", "c"]) ctx.kv.delete(key);
  await ctx.waitForEvent("go");
  return "replayed";
});

/** The event that the turn writes that replays a history in which the keys were cleared in the given order. */
async function replayed(cleared: readonly string[]): Promise<HistoryEvent | undefined> {
  const start = { name: "Clearing", version: "1.0.0", input: "", parent_instance: null, parent_id: null };
  const history = [
    event(1, { type: "OrchestrationStarted", ...start }),
    ...cleared.map((key, index) => event(2 + index, { type: "KeyValueCleared", key })),
    event(5, { type: "ExternalSubscribed", name: "go" }),
  ];
  const fetched: FetchedOrchestration = {
    item: {
      instanceId: "i",
      orchestrationName: "Clearing",
      version: "1.0.0",
      executionId: 1,
      history,
      messages: [{ kind: "ExternalRaised", instance: "i", name: "go", data: "" }],
      kvSnapshot: new Map(),
    },
    lockToken: "lock",
    attemptCount: 1,
  };
  const [answer] = await runScript([fetched], { orchestrations: [clearing] });
  if (answer?.kind !== "ack") throw new Error("the turn was given back");
  return answer.historyDelta.at(-1);
}

test.each([["a b c"], ["c a b"], ["b c a"]])("recorded as %s: it replays", async (order) => {
  expect(await replayed(order.split(" "))).toMatchObject({
    type: "OrchestrationCompleted",
    output: "replayed",
  });
});

test("another key than the code deletes does not replay", async () => {
  expect(await replayed(["a", "other", "c"])).toMatchObject({
    type: "OrchestrationFailed",
    details: { Configuration: { kind: "Nondeterminism" } },
  });
});
