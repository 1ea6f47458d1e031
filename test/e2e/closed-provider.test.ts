/** A runtime does not start on a store that was closed, and a client is not made for it. */
import { activity, Client, type Provider, Runtime } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";

const activities = [activity("a", () => {})];

async function refuses(provider: Provider & AsyncDisposable): Promise<void> {
  await provider[Symbol.asyncDispose]();
  const message = /: the provider was closed; open another one$/;
  await expect(Runtime.start({ provider, activities })).rejects.toMatchObject({
    code: "configuration",
    message: expect.stringMatching(message),
  });
  expect(() => new Client(provider)).toThrow(message);
}

it("in memory", () => refuses(new MemoryProvider()));

it("in SQLite", async () => refuses(await SqliteProvider.open(":memory:")));

it("on Cosmos DB", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  await refuses(await CosmosProvider.connect({ connectionString }));
});
