/** The stores of the validation kit on an account: what the kit reads beside a provider, and how many are open. */
import { systemClock } from "@duroxide-ts/core/stores";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { fetchOrchestration, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEndpoint } from "./connection/fixture.ts";
import { cosmosFactory } from "./support/factory.ts";
import { type KitPlace, onAccount } from "./support/kit-place.ts";

let emulator: CosmosEmulator;
beforeAll(async () => {
  emulator = await startEndpoint();
});
afterAll(() => emulator[Symbol.asyncDispose]());

function anAccount(): KitPlace {
  const account = onAccount({ COSMOSDB_ENDPOINT: emulator.endpoint, COSMOSDB_KEY: emulator.key });
  if (account === undefined) throw new Error("the environment names an account");
  return account;
}

it("the kit reads what a provider wrote although replicas lag behind", async () => {
  await using place = anAccount();
  emulator.faults.add({
    match: { operation: "item.query" },
    effect: { kind: "staleRead", writesBehind: 10 },
  });
  const store = await cosmosFactory("account", place).open({ clock: systemClock, storeId: "a" });
  const { provider } = store;
  await provider.enqueueForOrchestrator(startItem("i"));
  const fetched = await fetchOrchestration({ provider, lockMs: 30_000 }, { pollTimeoutMs: 5_000 });
  expect(fetched?.item.instanceId).toBe("i");
  expect(await store.maxAttemptCount?.("i")).toBe(1);
  await store[Symbol.asyncDispose]();
  emulator.faults.clear();
  using _ = await place.enter("b");
  const { client, container } = place.openContainer("b");
  const left = await container.items.query("SELECT * FROM c WHERE c.instanceId = 'i'").fetchAll();
  client.dispose();
  expect(left.resources).toEqual([]);
});

it("a fifth store waits until one of four is closed", async () => {
  const place = anAccount();
  const rooms = await Promise.all(["1", "2", "3", "4"].map((storeId) => place.enter(storeId)));
  const containers = ["1", "2", "3", "4"].map((storeId) => place.optionsFor(storeId).container);
  expect(new Set(containers).size).toBe(4);
  let isIn = false;
  const fifth = place.enter("5").then((room) => {
    isIn = true;
    return room;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isIn).toBe(false);
  rooms[0]?.[Symbol.dispose]();
  rooms.push(await fifth);
  expect(place.optionsFor("5").container).toBe(containers[0]);
  for (const room of rooms.slice(1)) room[Symbol.dispose]();
});
