/** The figure of blocked instances is one page of the store: exact, or with the sign that there are more. */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it, vi } from "vitest";
import type { Overview } from "../src/page/shapes/overview.ts";
import { asking } from "./support/asking.ts";

const print = orchestration("print", async (ctx) => ctx.scheduleActivity("unheardOf"));

it("the overview shows up to 100 blocked instances as they are, and 100 with a sign for more", async () => {
  await using provider = await SqliteProvider.open(":memory:");
  const client = new Client(provider, { logger: silentLogger });
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: [print],
    activities: [],
    logger: silentLogger,
  });
  const { read } = asking({ provider });
  const blocked = async (): Promise<Overview["blocked"]> => (await read<Overview>("overview")).blocked;
  const start = async (count: number): Promise<void> => {
    await Promise.all(Array.from({ length: count }, () => client.start(print)));
  };
  await start(100);
  await vi.waitFor(async () => expect(await blocked()).toEqual({ count: 100 }), { timeout: 600_000 });
  await start(1);
  await vi.waitFor(async () => expect(await blocked()).toEqual({ count: 100, isMore: true }), {
    timeout: 600_000,
  });
});
