/** A start that no process has the code for is shown, though there is no instance yet. */
import {
  Client,
  orchestration,
  Runtime,
  schedule,
  silentLogger,
  sleep,
  systemClock,
} from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";
import { asking } from "./support/asking.ts";

const film = orchestration("film", async (ctx) => ctx.waitForEvent("seen"));

it("a start that no process has the code for needs attention, and is no missing instance", async () => {
  await using provider = await SqliteProvider.open(":memory:");
  const client = new Client(provider, { logger: silentLogger });
  const { read } = asking({ provider });

  const invoices = schedule("invoices", { every: { hours: 1 }, orchestration: "invoice" });
  // An instance that was started by hand is no run, though its id begins with the name.
  const other = schedule("invoice-", { every: { hours: 1 }, orchestration: "film" });
  await client.schedules.apply([invoices, other]);
  const { instanceId: run } = await client.schedules.trigger("invoices");
  for (const instanceId of ["invoice-1", "invoice-2"]) await client.start("invoice", { instanceId });
  const message = "The start of invoice waits for a process";
  expect(await read("instance?id=invoice-2")).toEqual({ error: { code: "not-begun", message } });
  await using runtime = await Runtime.start({
    provider,
    orchestrations: [film],
    activities: [],
    logger: silentLogger,
  });
  for (const instanceId of ["invoice-1", "invoice-2", run])
    while (!("blocked" in (await client.handle("invoice", instanceId).status())))
      await sleep(systemClock, 20);
  await runtime.shutdown();

  const { attention, blocked } = (await read("overview")) as { attention: unknown[]; blocked: unknown };
  expect(blocked).toEqual({ count: 3 });
  expect(await read("schedules")).toMatchObject({
    rows: [
      expect.not.objectContaining({ blocked: expect.anything() }),
      { blocked: { id: run, detail: expect.stringContaining("is not registered") } },
    ],
  });
  expect(attention).toContainEqual({
    state: "blocked",
    text: expect.stringMatching(/^invoice\S+ is blocked: orchestration "invoice" is not registered/),
    path: "instance",
    query: { id: expect.stringMatching(/^invoice/) },
  });
  expect(JSON.stringify(attention).match(/is blocked/g)).toHaveLength(1);
  expect(await read("instance?id=invoice-2")).toEqual({
    error: { code: "not-begun", message: expect.stringMatching(/process: orchestration "invoice" is not/) },
  });
  expect(await read("instance?id=invoice-3")).toMatchObject({ error: { code: "instance-not-found" } });
});
