/** Messages that their senders name (docs/reference/provider-contract.md §10). */
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import {
  ack,
  createInstance,
  fetchOrchestration,
  given,
  mustFetch,
  queueMessage,
  started,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import type { Actor } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("named", () => createInstance(stage, "a"));

const send = (messageId: string, name = "pay"): Promise<unknown> =>
  stage.provider.enqueueForOrchestrator(queueMessage("a", name), undefined, { messageId });

it("a repetition stores nothing when the first message was consumed, and costs a read beside the request", async () => {
  await send("m1");
  await ack(stage, await mustFetch(stage));
  stage.trap.set(undefined);
  await send("m1");
  expect(stage.trap.labels).toHaveLength(2);
  expect(await fetchOrchestration(stage)).toBeUndefined();
});

it("a start that another process repeats is stored once, although its replica does not show the first yet", async () => {
  const other = await stage.openAnother();
  const first = { kind: "QueueMessage", instance: "b", name: "first", data: "1" } as const;
  const start = ({ provider }: Actor): Promise<unknown> =>
    provider.startInstance(startItem("b"), {
      ifExists: "reuse",
      messages: [first],
      messageId: "m1",
    });
  await start(stage);
  stage.endpoint.faults.add({
    match: { operation: "item.read" },
    effect: { kind: "staleRead", writesBehind: 5 },
  });

  expect(await letTimePass(stage.clock, start(other))).toMatchObject({ kind: "stored" });

  expect((await mustFetch(stage)).item.messages).toEqual([startItem("b"), first]);
});

/** Makes replicas lag behind by this number of writes. */
function lagBehind(writesBehind: number): void {
  stage.endpoint.faults.add({ match: { operation: "read" }, effect: { kind: "staleRead", writesBehind } });
}

it("a start is repeated without effect although replicas show an earlier instance with the id", async () => {
  const other = await stage.openAnother();
  await createInstance(stage, "new");
  await stage.provider.admin.deleteInstance("new", { force: true });
  const options = { ifExists: "fail", messages: [], messageId: "m1" } as const;
  await stage.provider.startInstance(startItem("new"), options);
  lagBehind(2);
  expect(await other.provider.startInstance(startItem("new"), options)).toMatchObject({ kind: "stored" });
});

it("a start that requires a free id finds the instance, although replicas do not show it", async () => {
  const other = await stage.openAnother();
  const options = { ifExists: "fail", messages: [] } as const;
  await stage.provider.startInstance(startItem("new"), options);
  await ack(stage, await mustFetch(stage), {
    historyDelta: [started("new")],
    metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" },
  });
  lagBehind(3);
  const starting = other.provider.startInstance(startItem("new"), options);
  expect(await starting).toMatchObject({ kind: "exists", status: "Running" });
  expect(await fetchOrchestration(other)).toBeUndefined();
});

it("a lost answer leaves one message, and wakes the fetch that waits", async () => {
  const waiting = fetchOrchestration(stage, { pollTimeoutMs: 60_000 });
  await stage.trap.idle();
  stage.trap.loseAnswerOf(/^batch/, async () => {});
  await send("m1");
  // The clock stands still: no later poll has found it.
  const fetched = given(await waiting, "a turn");
  expect(fetched.item.messages).toEqual([queueMessage("a", "pay")]);
  await ack(stage, fetched);
  expect(await fetchOrchestration(stage)).toBeUndefined();
});

it("a message that was consumed before its answer was found lost is not stored again", async () => {
  stage.trap.loseAnswerOf(/^batch/, async () => ack(stage, await mustFetch(stage)));
  await send("m1");
  expect(await fetchOrchestration(stage)).toBeUndefined();
});

it("any characters may be in a name; one that is empty or longer than 200 is refused", async () => {
  for (const messageId of ["a/b?c#\\\n", "é".repeat(200)]) {
    await send(messageId);
    await send(messageId);
  }
  expect((await mustFetch(stage)).item.messages).toHaveLength(2);
  for (const messageId of ["", "x".repeat(201), 7 as unknown as string]) {
    await expect(send(messageId)).rejects.toMatchObject({ code: "invalid-input" });
  }
});

it("the service forgets a name after a day", async () => {
  await send("m1");
  const receipts = (await allDocuments(stage.raw)).filter(({ id }) =>
    /^receipt:message:[0-9a-f]+:m1$/.test(String(id)),
  );
  expect(receipts).toMatchObject([{ ttl: 86_400 }]);
});

it("a name costs nothing: one request, and no more units than without it", async () => {
  const seen: RequestInfo[] = [];
  await using provider = await CosmosProvider.connectThrough(
    {
      connectionString: stage.place.connectionString,
      database: "crash",
      container: stage.place.container,
      membership: false,
      onRequest: (info) => seen.push(info),
    },
    (request, next) => (stage.endpoint.send ?? next)(request),
  );
  const chargeOf = async (options?: { messageId: string }): Promise<readonly number[]> => {
    seen.length = 0;
    await provider.enqueueForOrchestrator(queueMessage("a", "pay"), undefined, options);
    return seen.filter(({ operation }) => operation === "enqueueForOrchestrator").map(({ charge }) => charge);
  };
  const [plain = 0, ...others] = await chargeOf();
  const named = await chargeOf({ messageId: crypto.randomUUID() });
  expect(others).toEqual([]);
  expect(named).toHaveLength(1);
  expect(named[0]).toBeLessThanOrEqual(plain * 1.05);
});
