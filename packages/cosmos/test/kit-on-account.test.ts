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
  using _ = place.enter("b");
  const { client, container } = place.openContainer("b");
  const left = await container.items.query("SELECT * FROM c WHERE c.instanceId = 'i'").fetchAll();
  client.dispose();
  expect(left.resources).toEqual([]);
});

it("a store gets a container that no other store has, and that may have served one that is closed", () => {
  const place = anAccount();
  const rooms = ["1", "2"].map((storeId) => place.enter(storeId));
  const [first, second] = ["1", "2"].map((storeId) => place.optionsFor(storeId).container);
  expect(first).not.toBe(second);
  rooms[0]?.[Symbol.dispose]();
  place.enter("3");
  place.enter("4");
  expect(place.optionsFor("3").container).toBe(first);
  expect([first, second]).not.toContain(place.optionsFor("4").container);
});
