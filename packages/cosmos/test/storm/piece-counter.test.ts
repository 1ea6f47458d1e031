/** Pieces that a storm counts on a container with little throughput. */
import { Client, Runtime, silentLogger } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { activities, orchestrations, WITH_LARGE_TURNS } from "../../../../test/storm/programs.ts";
import { PieceCounter } from "./piece-counter.ts";

it("the large turns of a storm are stored in several pieces, each of them once", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0, allowedHosts: ["127.0.0.1"] });
  await using pieces = await PieceCounter.before(emulator);
  const { connectionString } = pieces;
  await using provider = await CosmosProvider.connect({ connectionString, onWarning: () => {} });
  await using _runtime = await Runtime.start({ provider, orchestrations, activities, logger: silentLogger });
  const large = WITH_LARGE_TURNS.find(({ name }) => name === "large");
  const handle = await new Client(provider).start("large", { input: large?.input(0) });
  expect(await handle.result({ timeout: 900_000 })).toBe(large?.result(0));
  expect(pieces.stored).toBeGreaterThan(1);
  expect(pieces.violations).toEqual([]);
});
