/** Calls that are made in the same turn of the event loop, where others could lose to each other. */
import {
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  mustFetchWork,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { inMemory, openMemory } from "./support/fixture.ts";

it("messages and activities that are sent at once are stored in the order of the calls", async () => {
  await using store = await openMemory();
  await createInstance(store, "i");
  const numbers = [0, 1, 2, 3, 4];
  await Promise.all([
    ...numbers.map((id) => store.provider.enqueueForWorker(activity("i", id))),
    ...numbers.map((id) => store.provider.enqueueForOrchestrator(raised("i", `${id}`))),
  ]);
  for (const id of numbers) expect((await mustFetchWork(store)).item.id).toBe(id);
  const { messages } = (await mustFetch(store)).item;
  expect(messages).toEqual(numbers.map((id) => raised("i", `${id}`)));
});

inMemory("fetches that are made at once get one instance each, and all that there are", async (store) => {
  for (let n = 0; n < 20; n++) await store.provider.enqueueForOrchestrator(startItem(`i-${n}`));
  const fetched = await Promise.all(Array.from({ length: 40 }, () => fetchOrchestration(store)));
  const found = fetched.filter((each) => each !== undefined);
  expect(found).toHaveLength(20);
  expect(new Set(found.map(({ item }) => item.instanceId)).size).toBe(20);
  expect(new Set(found.map(({ lockToken }) => lockToken)).size).toBe(20);
});

it("workers under one name that ask at once share the session that the first of them takes", async () => {
  await using store = await openMemory();
  for (const id of [1, 2, 3]) await store.provider.enqueueForWorker(activity("i", id, { session_id: "s" }));
  const as = (ownerId: string): ReturnType<typeof fetchWork> =>
    fetchWork(store, { session: { ownerId, lockTimeoutMs: 30_000 } });
  const fetched = await Promise.all([as("me"), as("you"), as("me")]);
  expect(fetched.map((work) => work?.item.id)).toEqual([1, undefined, 2]);
});
