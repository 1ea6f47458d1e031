/**
 * The fate of a wait that loses a race depends on the runtime that began the execution: from 0.1.31 on it is dropped at
 * once (arrivals.A4), before that it keeps its position until its cancel event is replayed (legacy-arrivals.A5).
 */
import { describe, expect, test } from "vitest";
import type { FetchedOrchestration } from "../../src/contract/provider.ts";
import { orchestration } from "../../src/define/definitions.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";
import { DUROXIDE_VERSION } from "../../src/wire/version.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";
import { runScript } from "../support/run-script.ts";

type Body = (ctx: OrchestrationContext) => Promise<unknown>;

const instance = "raced";

/** Runs the batches one after the other; the execution is stamped as begun by `stamp`. */
async function play(stamp: string, body: Body, batches: readonly OrchestratorItem[][]): Promise<unknown> {
  const history: HistoryEvent[] = [
    {
      event_id: 1,
      source_event_id: null,
      instance_id: instance,
      execution_id: 1,
      timestamp_ms: 1,
      duroxide_version: stamp,
      type: "OrchestrationStarted",
      name: "Raced",
      version: "1.0.0",
      input: "",
      parent_instance: null,
      parent_id: null,
    },
  ];
  for (const messages of [[], ...batches]) {
    const item = { instanceId: instance, orchestrationName: "Raced", version: "1.0.0", executionId: 1 };
    const fetched: FetchedOrchestration = {
      item: { ...item, history: [...history], messages, kvSnapshot: new Map() },
      lockToken: `lock-${history.length}`,
      attemptCount: 1,
    };
    const orchestrations = [orchestration("Raced", body)];
    const [answer] = await runScript([fetched], { orchestrations });
    if (answer?.kind !== "ack") throw new Error("the turn was given back");
    history.push(...answer.historyDelta);
  }
  const last = history.findLast(({ type }) => type === "OrchestrationCompleted");
  return last?.type === "OrchestrationCompleted" ? last.output : history.map(({ type }) => type);
}

const raised = (data: string): OrchestratorItem => ({ kind: "ExternalRaised", instance, name: "go", data });
const queued = (data: string): OrchestratorItem => ({ kind: "QueueMessage", instance, name: "jobs", data });
const fired = (id: number): OrchestratorItem => ({
  kind: "TimerFired",
  instance,
  execution_id: 1,
  id,
  fire_at_ms: 10,
});

describe("a wait loses against a timer, and a signal comes in the same batch", () => {
  const body: Body = async (ctx) => {
    await ctx.race([ctx.waitForEvent("go"), ctx.scheduleTimer(10)]);
    const second = await ctx.race([ctx.waitForEvent("go"), ctx.scheduleTimer(20)]);
    return second.index === 0 ? second.value : "timed out";
  };
  const batches = [[fired(3), raised("same batch")], [fired(7)]];

  test.each(["0.1.31", "0.1.32", "0.1.31+build"])("begun by %s: it is lost", async (stamp) => {
    expect(await play(stamp, body, batches)).toBe("timed out");
  });

  test.each(["0.1.30", "0.1.31-rc.1", "", "garbage"])(
    "begun by %j: it shifts to the next wait",
    async (stamp) => {
      expect(await play(stamp, body, batches)).toBe("same batch");
    },
  );
});

describe("a dequeue loses against a timer, and its message comes later", () => {
  const body: Body = async (ctx) => {
    await ctx.race([ctx.dequeue("jobs"), ctx.scheduleTimer(10)]);
    const first = await ctx.dequeue("jobs");
    return `${first} ${await ctx.dequeue("jobs")}`;
  };

  test.each(["0.1.30", "0.1.32"])("begun by %s: nothing is lost and the order is kept", async (stamp) => {
    expect(await play(stamp, body, [[fired(3)], [queued("a")], [queued("b")]])).toBe("a b");
  });
});

test("a successor follows the runtime that begins it, whichever runtime began its predecessor", async () => {
  const orchestrations = [orchestration("Raced", async () => "done")];
  const fetched: FetchedOrchestration = {
    item: {
      instanceId: instance,
      orchestrationName: "Raced",
      version: "1.0.0",
      executionId: 2,
      history: [],
      messages: [
        {
          kind: "ContinueAsNew",
          instance,
          orchestration: "Raced",
          input: "",
          version: "1.0.0",
          carry_forward_events: [],
        },
      ],
      kvSnapshot: new Map(),
    },
    lockToken: "lock",
    attemptCount: 1,
  };

  const [answer] = await runScript([fetched], { orchestrations });

  expect(answer?.kind === "ack" && answer.historyDelta[0]).toMatchObject({
    type: "OrchestrationStarted",
    duroxide_version: DUROXIDE_VERSION,
  });
});
