/** A row whose notes for operators are damaged is listed with that fault, and hides no other row. */
import { Client, silentLogger } from "@duroxide-ts/core";
import { createInstance, fetchOrchestration, raised } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect } from "vitest";
import { onFile } from "./support/fixture.ts";

const JUNK = ["{", "[]", "null", '{"sinceMs":"x"}', '{"reason":{},"detail":1}'];
const DAMAGED = expect.stringContaining("damaged") as string;

describe.each(JUNK)("what is stored as %s", (junk) => {
  onFile("is a suspension of its row alone", async (store) => {
    for (const id of ["a", "b"]) await createInstance(store, id);
    store
      .openRaw()
      .prepare("UPDATE instances SET suspended = ?, suspended_since = 1 WHERE instance_id = 'a'")
      .run(junk);
    const { admin } = new Client(store.provider, { logger: silentLogger });
    const { instances } = await admin.query({ order: "created-asc" });
    expect(instances.map(({ instanceId, suspended }) => [instanceId, suspended?.reason])).toEqual([
      ["a", DAMAGED],
      ["b", undefined],
    ]);
    expect((await admin.info("a")).suspended?.reason).toEqual(DAMAGED);
  });

  onFile("is a block of its row alone, and work goes on", async (store) => {
    for (const id of ["a", "b"]) await createInstance(store, id);
    await store.provider.enqueueForOrchestrator(raised("a", "e"));
    store
      .openRaw()
      .prepare("UPDATE instances SET blocked = ?, blocked_since = 1 WHERE instance_id = 'a'")
      .run(junk);
    const { admin } = new Client(store.provider, { logger: silentLogger });
    const { instances } = await admin.query({ order: "created-asc" });
    expect(instances.map(({ instanceId, blocked }) => [instanceId, blocked?.detail])).toEqual([
      ["a", DAMAGED],
      ["b", undefined],
    ]);
    const found = [];
    for await (const one of admin.blocked()) found.push(one.instanceId);
    expect(found).toEqual(["a"]);
    expect(await fetchOrchestration(store)).toMatchObject({ item: { instanceId: "a" } });
  });

  onFile("is a report of its process alone", async (store) => {
    store
      .openRaw()
      .prepare("INSERT INTO workers VALUES ('w', ?, ?)")
      .run(junk, store.clock.now() + 1_000);
    const { admin } = new Client(store.provider, { logger: silentLogger });
    expect(await admin.workers()).toMatchObject([{ workerId: "w", host: DAMAGED, orchestrations: [] }]);
  });
});
