/**
 * Executions of an instance that a Rust process has written as well: it drops our notes, writes no record of an execution
 * and never resets the status (docs/reference/upstream/cosmos-hazards.md, W11).
 */
import {
  ack,
  createInstance,
  eventOf,
  mustFetch,
  raised,
  started,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("mixed");

const BEGUN_MS = 1_600_000_000_000;
const ENDED_MS = 1_600_000_060_000;

const begins = (execution: number) =>
  ({ ...started("i", execution), timestamp_ms: BEGUN_MS + execution }) as ReturnType<typeof started>;

const continues = (execution: number) =>
  ({
    ...eventOf("OrchestrationContinuedAsNew", "i", 2, { input: `"to ${execution + 1}"` }, execution),
    timestamp_ms: ENDED_MS + execution,
  }) as ReturnType<typeof started>;

const continueItem = {
  kind: "ContinueAsNew",
  instance: "i",
  orchestration: "TestOrch",
  input: "{}",
  version: null,
  carry_forward_events: [],
} as const;

/** A lock and its release by a Rust process: the document as it was, without our notes. */
async function touchedByRust(changes: object = {}): Promise<void> {
  const { resource } = await stage.raw.item("i:instance", "i").read();
  const { duroxideTs: _, ...known } = resource;
  await stage.raw.items.upsert({ ...known, ...changes });
}

/** The current execution ends and leaves the start of the next one. */
async function continueAsNew(execution: number): Promise<void> {
  await stage.provider.enqueueForOrchestrator(raised("i", "poke"));
  await ack(stage, await mustFetch(stage), {
    historyDelta: [continues(execution)],
    orchestratorItems: [continueItem],
    metadata: { status: "ContinuedAsNew", output: `"to ${execution + 1}"` },
  });
}

async function beginNext(execution: number): Promise<void> {
  await ack(stage, await mustFetch(stage), {
    executionId: execution,
    historyDelta: [begins(execution)],
    metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" },
  });
}

/** The event that Rust stores for the start of the next execution, with nothing else of ours. */
async function begunByRust(execution: number): Promise<void> {
  for (const event of [begins(execution)]) {
    await stage.raw.items.create({
      id: `i:history:${execution}:1`,
      instanceId: "i",
      type: "history",
      executionId: execution,
      eventId: 1,
      eventData: JSON.stringify(event),
    });
  }
  const query = "SELECT VALUE c.id FROM c WHERE c.type = 'orch_queue'";
  const { resources } = await stage.raw.items.query<string>(query, { partitionKey: "i" }).fetchAll();
  for (const id of resources) await stage.raw.item(id, "i").delete();
  await touchedByRust({ currentExecutionId: execution });
}

it("an execution keeps its status, times and output where Rust wrote the instance before the next one began", async () => {
  await createInstance(stage, "i");
  await continueAsNew(1);
  await touchedByRust();
  await beginNext(2);
  expect((await stage.provider.admin.listExecutions("i", 1))[0]).toMatchObject({
    status: "ContinuedAsNew",
    output: '"to 2"',
    startedAtMs: 1_700_000_000_000,
    completedAtMs: ENDED_MS + 1,
  });
  const { resource } = await stage.raw.item("i:execution:1", "i").read();
  expect(resource).toMatchObject({ status: "ContinuedAsNew", output: '"to 2"', completedAt: ENDED_MS + 1 });
});

it("a lock leaves the status as it is stored", async () => {
  await createInstance(stage, "i");
  await continueAsNew(1);
  await touchedByRust();
  await mustFetch(stage);
  const { resource } = await stage.raw.item("i:instance", "i").read();
  expect(resource).toMatchObject({ status: "ContinuedAsNew", output: '"to 2"' });
});

it("an execution that Rust wrote in the middle began with its first event", async () => {
  await createInstance(stage, "i");
  await continueAsNew(1);
  await beginNext(2);
  await touchedByRust({ status: "ContinuedAsNew" });
  await stage.clock.advance(60_000);
  await stage.provider.enqueueForOrchestrator(raised("i", "poke"));
  await ack(stage, await mustFetch(stage), { metadata: { status: "Completed", output: "{}" } });
  expect((await stage.provider.admin.listExecutions("i", 2))[0]).toMatchObject({
    status: "Completed",
    startedAtMs: BEGUN_MS + 2,
    completedAtMs: stage.clock.now(),
  });
});

it("an execution without a record is told from the first and last event of its history", async () => {
  await createInstance(stage, "i");
  await continueAsNew(1);
  await begunByRust(2);
  expect(await stage.provider.admin.listExecutions("i")).toMatchObject([
    { executionId: 1 },
    { executionId: 2 },
  ]);
  expect((await stage.provider.admin.listExecutions("i", 1))[0]).toEqual({
    executionId: 1,
    status: "ContinuedAsNew",
    output: '"to 2"',
    startedAtMs: 1_700_000_000_000,
    completedAtMs: ENDED_MS + 1,
    eventCount: 2,
  });
});

it("executions without a record are counted", async () => {
  await createInstance(stage, "i");
  await continueAsNew(1);
  await begunByRust(2);
  await createInstance(stage, "j");
  expect(await stage.provider.admin.getSystemMetrics()).toMatchObject({
    totalInstances: 2,
    totalExecutions: 3,
  });
});

it("a record that was stored as running has ended where it is not of the current execution", async () => {
  await createInstance(stage, "i");
  await continueAsNew(1);
  await beginNext(2);
  const { resource } = await stage.raw.item("i:execution:1", "i").read();
  const wrong = { status: "Running", output: null, startedAt: null, completedAt: null };
  await stage.raw.items.upsert({ ...resource, ...wrong });
  expect((await stage.provider.admin.listExecutions("i", 1))[0]).toMatchObject({
    status: "ContinuedAsNew",
    output: '"to 2"',
    startedAtMs: 1_700_000_000_000,
    completedAtMs: ENDED_MS + 1,
  });
  const pruned = await stage.provider.admin.pruneInstances({ instanceIds: ["i"] }, { keepLast: 1 });
  expect(pruned).toMatchObject({ executionsDeleted: 1, eventsDeleted: 2 });
});

it("an execution without a record is pruned by the time of its last event", async () => {
  await createInstance(stage, "i");
  await continueAsNew(1);
  await begunByRust(2);
  const prune = (completedBeforeMs: number) =>
    stage.provider.admin.pruneInstances({ instanceIds: ["i"] }, { keepLast: 1, completedBeforeMs });
  expect(await prune(ENDED_MS + 1)).toMatchObject({ executionsDeleted: 0 });
  expect(await prune(ENDED_MS + 2)).toMatchObject({ executionsDeleted: 1 });
});
