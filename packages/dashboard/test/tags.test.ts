/** Tags in the lists of the dashboard. */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import type { InstancesPage } from "../src/page/shapes/instances.ts";
import { asking } from "./support/asking.ts";
import { openStore } from "./support/stores.ts";

const done = orchestration("done", async () => 1);

it.each(["sqlite", "cosmos"] as const)(
  "rows have their tags, and each tag finds its rows, on %s",
  async (name) => {
    await using store = await openStore(name);
    const client = new Client(store.provider, { logger: silentLogger });
    await using _runtime = await Runtime.start({
      provider: store.provider,
      orchestrations: [done],
      activities: [],
      logger: silentLogger,
    });
    const starts = { a: { tenant: "acme corp", n: 3 }, b: { tenant: "other", n: "3" }, c: undefined };
    for (const [instanceId, tags] of Object.entries(starts)) {
      await (await client.start(done, { instanceId, ...(tags && { tags }) })).result();
    }
    const { get, read } = asking({ provider: store.provider });
    const rowsOf = async (query: string): Promise<InstancesPage["rows"]> =>
      (await read<InstancesPage>(`instances?${query}`)).rows;
    const all = await rowsOf("order=created-asc");
    expect(all.map(({ tags }) => tags?.toSorted())).toEqual([
      ["n=3", 'tenant="acme corp"'],
      ['n="3"', "tenant=other"],
      undefined,
    ]);
    for (const { id, tags = [] } of all)
      for (const tag of tags) {
        const found = await rowsOf(new URLSearchParams({ tags: tag }).toString());
        expect(found.map((row) => row.id)).toEqual([id]);
      }
    expect((await get("instances?tags=tenant")).status).toBe(400);
  },
);
