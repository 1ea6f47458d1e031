/**
 * The order of rows that one commit wrote, also where the container is so full that the service's own numbers of the
 * documents grow by a byte (docs/decisions/messages.md).
 */
import type { ActivityExecute, OrchestratorItem } from "@duroxide-ts/core/stores";
import {
  ack,
  activity,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  queueMessage,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { queueRow } from "../support/queue-row.ts";
import { type Actor, START_MS } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("order");

const MANY = 300;

/** Documents that no instance uses, so that the next ones get the numbers from `count` on. */
async function fill(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await stage.raw.items.create({ id: `filler-${n}`, instanceId: "filler", type: "filler" });
  }
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `m${n}`);

function namesIn(items: readonly OrchestratorItem[]): readonly string[] {
  return items.flatMap((item) => (item.kind === "QueueMessage" ? [item.name] : []));
}

async function allMessages(caller: Pick<Actor, "provider" | "lockMs">): Promise<readonly string[]> {
  const seen: string[] = [];
  for (;;) {
    const fetched = await fetchOrchestration(caller);
    if (fetched === undefined) return seen;
    seen.push(...namesIn(fetched.item.messages));
    await ack(caller, fetched);
  }
}

async function allActivities(caller: Pick<Actor, "provider" | "lockMs">): Promise<readonly number[]> {
  const seen: ActivityExecute[] = [];
  for (;;) {
    const fetched = await fetchWork(caller);
    if (fetched === undefined) return seen.map(({ id }) => Number(id));
    seen.push(fetched.item);
    await caller.provider.ackWorkItem(fetched.lockToken);
  }
}

async function firstTurn(): Promise<Awaited<ReturnType<typeof mustFetch>>> {
  await stage.provider.enqueueForOrchestrator(startItem("i"));
  return mustFetch(stage);
}

const STARTED = { metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" } };

describe.each(["the process that wrote them", "another process"])("for %s", (who) => {
  const reader = async (): Promise<Pick<Actor, "provider" | "lockMs">> =>
    who === "another process" ? stage.openAnother() : stage;

  it("the messages of one commit come in its order", async () => {
    await fill(180);
    const orchestratorItems = names(MANY).map((name) => queueMessage("i", name));
    await ack(stage, await firstTurn(), { ...STARTED, orchestratorItems });
    expect(await allMessages(await reader())).toEqual(names(MANY));
  });

  it("the activities of one commit come in its order", async () => {
    await fill(180);
    const ids = Array.from({ length: MANY }, (_, n) => n + 2);
    await ack(stage, await firstTurn(), {
      ...STARTED,
      workerItems: ids.map((id) => activity("i", id)),
    });
    expect(await allActivities(await reader())).toEqual(ids);
  });

  it("the messages of one millisecond come in the order in which they were sent", async () => {
    await fill(240);
    await ack(stage, await firstTurn(), STARTED);
    for (const name of names(25)) await stage.provider.enqueueForOrchestrator(queueMessage("i", name));
    expect(await allMessages(await reader())).toEqual(names(25));
  });

  it("messages of one commit for another instance come in its order", async () => {
    await fill(200);
    await stage.provider.enqueueForOrchestrator(startItem("other"));
    await ack(stage, await mustFetch(stage), STARTED);
    const orchestratorItems = names(40).map((name) => queueMessage("other", name));
    await ack(stage, await firstTurn(), { ...STARTED, orchestratorItems });
    expect(await allMessages(await reader())).toEqual(names(40));
  });
});

it("rows without a sequence number come in the order of the service's numbers", async () => {
  await ack(stage, await firstTurn(), STARTED);
  await fill(230);
  for (const name of names(40)) {
    const workItem = JSON.stringify({ QueueMessage: { instance: "i", name, data: "{}" } });
    await stage.raw.items.create(queueRow("orch_queue", "i", { id: name, workItem, enqueuedAt: START_MS }));
  }
  expect(await allMessages(stage)).toEqual(names(40));
});

it("rows of several processes come in the order of their creation, if they have the same millisecond", async () => {
  await ack(stage, await firstTurn(), STARTED);
  await fill(240);
  const other = await stage.openAnother();
  for (let n = 0; n < 8; n++) {
    for (const { provider } of [other, stage]) {
      await provider.enqueueForOrchestrator(
        queueMessage("i", provider === stage.provider ? `one-${n}` : `two-${n}`),
      );
    }
    const workItem = JSON.stringify({ QueueMessage: { instance: "i", name: `rust-${n}`, data: "{}" } });
    await stage.raw.items.create(
      queueRow("orch_queue", "i", { id: `rust-${n}`, workItem, enqueuedAt: START_MS }),
    );
  }
  const expected = Array.from({ length: 8 }, (_, n) => [`two-${n}`, `one-${n}`, `rust-${n}`]).flat();
  expect(await allMessages(await stage.openAnother())).toEqual(expected);
});
