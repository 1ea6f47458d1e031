/** Lists of instances in a file: what a page costs. */
import type { InstanceQuery, ProviderAdmin } from "@duroxide-ts/core/stores";
import { complete, createInstance, failed, raised, turn } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { callerOf, type FileFixture, onFile, openFile } from "./support/fixture.ts";

async function pagesOf(admin: ProviderAdmin, query: InstanceQuery): Promise<(readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let continuation: string | undefined;
  do {
    const page = await admin.queryInstances({
      ...query,
      ...(continuation !== undefined && { continuation }),
    });
    pages.push(page.instances.map(({ instanceId }) => instanceId));
    continuation = page.continuation;
  } while (continuation !== undefined);
  return pages;
}

/** `count` instances that have failed, oldest first. */
function addFailed(store: FileFixture, count: number): void {
  store.openRaw().exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO instances (instance_id, orchestration_name, orchestration_version, execution_id, status,
        created_at, updated_at, failure_category)
      SELECT 'i' || i, 'n' || (i % 300), '1.0.0', 1, 'Failed', i, i, 'application' FROM n;
    INSERT INTO executions (instance_key, execution_id, status, output, started_at)
      SELECT instance_key, 1, 'Failed', 'error of ' || instance_id || '.', created_at FROM instances`);
}

describe("a page of instances", () => {
  // query-instances.QI1
  it("ends after 1,000 messages that do not match, and the next one goes on behind them", async () => {
    await using store = await openFile();
    addFailed(store, 2_500);
    const pages = await pagesOf(store.provider.admin, { filter: { errorContains: "of I7." } });
    expect(pages).toEqual([[], [], ["i7"]]);
  });

  it.each<[string, InstanceQuery]>([
    ["with a prefix", { filter: { idPrefix: "rare-" } }],
    ["of a parent", { filter: { parentId: "p" }, order: "updated-desc" }],
    ["that are blocked", { filter: { blocked: true } }],
    ["that are suspended", { filter: { suspended: true } }],
  ])(
    "has the few %s, in order, although 5,000 others are newer (query-instances.QI2)",
    async (_which, query) => {
      await using store = await openFile();
      addFailed(store, 5_100);
      store
        .openRaw()
        .exec(`UPDATE instances SET instance_id = 'rare-' || instance_id, parent_instance_id = 'p',
      blocked_since = 1, blocked = '{}', suspended_since = 1, suspended = '{}' WHERE created_at IN (7, 9)`);
      expect(await pagesOf(store.provider.admin, query)).toEqual([["rare-i9", "rare-i7"]]);
    },
  );

  onFile("is in order with more names than a list by version merges", async (store) => {
    addFailed(store, 900);
    const pages = await pagesOf(store.provider.admin, { filter: { version: ["1.0.0"] }, limit: 400 });
    const ids = Array.from({ length: 900 }, (_, index) => `i${900 - index}`);
    expect(pages.flat()).toEqual(ids);
  });

  // range-cursor.RC1
  it.each(["created-asc", "updated-desc"] as const)(
    "has every instance once where all have one time, %s",
    async (order) => {
      await using store = await openFile();
      addFailed(store, 5_000);
      store.openRaw().exec("UPDATE instances SET created_at = 5, updated_at = 5");
      const ids = (await pagesOf(store.provider.admin, { order, limit: 1_000 })).flat();
      expect(new Set(ids).size).toBe(5_000);
      expect(ids).toHaveLength(5_000);
    },
  );
});

describe("the category of a failure", () => {
  onFile("stays when a late turn changes the instance without its status", async (store) => {
    const caller = callerOf(store.provider);
    await createInstance(caller, "a");
    await turn(caller, "a", {
      historyDelta: [failed("a", 2, "declined")],
      metadata: { status: "Failed", output: "declined" },
    });
    const version = { orchestrationName: "TestOrch", orchestrationVersion: "1.0.1" };
    await turn(caller, "a", { metadata: version });
    const { instances } = await store.provider.admin.queryInstances({
      filter: { failureCategory: ["application"] },
    });
    expect(instances.map(({ orchestrationVersion }) => orchestrationVersion)).toEqual(["1.0.1"]);
    await complete(caller, "a");
    expect(await pagesOf(store.provider.admin, { filter: { failureCategory: ["application"] } })).toEqual([
      [],
    ]);
  });
});

describe("the list of queue rows", () => {
  onFile("goes on behind rows that were put back to the head of the queue", async (store) => {
    const caller = callerOf(store.provider);
    await createInstance(caller, "a");
    for (const name of ["1", "2", "3"]) await store.provider.enqueueForOrchestrator(raised("a", name));
    store.openRaw().exec("UPDATE orchestrator_queue SET visible_at = -2, order_at = -2 WHERE id % 3 = 0");
    const { admin } = store.provider;
    const first = await admin.listWork({ limit: 1 });
    const rest = await admin.listWork({ continuation: first.continuation ?? "" });
    expect([...first.work, ...rest.work]).toHaveLength(3);
    expect(first.work[0]?.visibleAtMs).toBeGreaterThan(0);
  });
});
