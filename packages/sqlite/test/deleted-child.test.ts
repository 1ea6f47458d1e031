/** A deletion, and a child of the instance that has not begun (T2 of storing/delete-tree.ts). */
import { createInstance, given, queueMessage, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { openFile } from "./support/fixture.ts";

const LOCKS = { lockTimeoutMs: 60_000, pollTimeoutMs: 0 };
const CHILD = startItem("c", { parent_instance: "p", parent_id: 2 });

it("its cancellation is deleted with its start, and does not reach the child of a later parent", async () => {
  await using store = await openFile();
  const { provider } = store;
  await createInstance(store, "p");
  await provider.enqueueForOrchestrator(CHILD);
  await provider.enqueueForOrchestrator({ kind: "CancelInstance", instance: "c", reason: "dropped" });
  await provider.admin.deleteInstance("p", { force: true });
  await createInstance(store, "p");
  await provider.enqueueForOrchestrator(CHILD);

  const { item } = given(await provider.fetchOrchestrationItem(LOCKS), "the turn of the child");
  expect([item.instanceId, item.messages.map(({ kind }) => kind)]).toEqual(["c", ["StartOrchestration"]]);
});

it("what was sent to the child of another parent stays", async () => {
  await using store = await openFile();
  const { provider } = store;
  await createInstance(store, "p");
  await createInstance(store, "other");
  await provider.enqueueForOrchestrator(startItem("c", { parent_instance: "other", parent_id: 2 }));
  await provider.enqueueForOrchestrator(queueMessage("c", "q"));
  await provider.admin.deleteInstance("p", { force: true });
  expect(await provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 2 });
});
