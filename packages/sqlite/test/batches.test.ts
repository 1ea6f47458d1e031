/** How much a fetch takes at once, and from which instance first. */
import {
  ack,
  createInstance,
  fetchOrchestration,
  mustFetch,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect } from "vitest";
import { inMemory } from "./support/fixture.ts";

inMemory("a batch of a large backlog is a part of it, and the rest follows in order", async (store) => {
  const { provider, clock } = store;
  await createInstance(store, "i");
  for (let n = 0; n < 2_500; n += 500) {
    const some = Array.from({ length: 500 }, (_, index) => raised("i", String(n + index)));
    await Promise.all(some.map((item) => provider.enqueueForOrchestrator(item)));
    await clock.advance(1);
  }
  const seen: unknown[] = [];
  const sizes: number[] = [];
  for (let next = await fetchOrchestration(store); next; next = await fetchOrchestration(store)) {
    seen.push(...next.item.messages.map((message) => ("name" in message ? message.name : message.kind)));
    sizes.push(next.item.messages.length);
    await ack(store, next);
  }
  expect(sizes).toEqual([1_000, 1_000, 500]);
  expect(seen).toEqual(Array.from({ length: 2_500 }, (_, n) => String(n)));
});

inMemory("instances are taken in the order in which they became due", async (store) => {
  const { provider, clock } = store;
  await provider.enqueueForOrchestrator(startItem("late"), 500);
  await provider.enqueueForOrchestrator(startItem("early"), 100);
  await clock.advance(1_000);
  await provider.enqueueForOrchestrator(startItem("new"));
  const order = [];
  for (let n = 0; n < 3; n++) order.push((await mustFetch(store)).item.instanceId);
  expect(order).toEqual(["early", "late", "new"]);
});
