/** Every statement of a query reads a range of an index, in the order of the list. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { InstanceQuery, WorkQuery } from "@duroxide-ts/core/stores";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileFixture, openFile } from "./support/fixture.ts";

const FILTERS: readonly InstanceQuery["filter"][] = [
  {},
  { status: ["Running"] },
  { name: ["n"] },
  { name: ["n", "m"], version: ["1.0.0"], status: ["Failed", "Completed"] },
  { version: ["1.0.0"] },
  { idPrefix: "a" },
  { parentId: "p" },
  { rootsOnly: true, createdFromMs: 1, createdToMs: 9, updatedFromMs: 1, updatedToMs: 9 },
  { failureCategory: ["application"], errorContains: "x" },
  { blocked: true },
  { blocked: false, suspended: false },
];

const WORK: readonly WorkQuery[] = [{}, { instanceId: "a" }, { overdueByMs: 5 }, { tag: "t" }];

/** Every statement that the provider prepared for the queries. */
const statements = new Set<string>();

let store: FileFixture;

beforeAll(async () => {
  store = await openFile();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    statements.add(sql);
    return prepare.call(this, sql);
  };
  try {
    await askEverything(store);
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
});

afterAll(() => store[Symbol.asyncDispose]());

async function askEverything({ provider }: FileFixture): Promise<void> {
  store
    .openRaw()
    .exec(`INSERT INTO instances (instance_id, orchestration_name, orchestration_version, created_at, updated_at)
      VALUES ('a', 'n', '1.0.0', 5, 5)`);
  const { admin } = provider;
  for (const filter of FILTERS) {
    for (const order of ["created-desc", "created-asc", "updated-desc"] as const) {
      await admin.queryInstances({ ...(filter !== undefined && { filter }), order });
    }
    await admin.countInstances(filter, ["name"]);
  }
  for (const query of WORK) await admin.listWork(query);
  await admin.listDeadLetters();
  await admin.settleDeadLetter("1", "requeue");
  await admin.settleDeadLetter("1", "drop");
  await admin.listWorkers();
  const slots = { busy: 0, all: 1 };
  const report = { host: "h", pid: 1, startedAtMs: 1, packageVersion: "1.0.0", turns: slots };
  await admin.reportWorker("w", { ...report, orchestrations: [], activities: [], activitySlots: slots });
  await admin.reportWorker("w", undefined);
}

function planOf(sql: string): string[] {
  const plan = store.openRaw().prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  return plan.map(({ detail }) => detail);
}

/** Lists of keys, names and versions, an index that has blocked rows only, the table of processes, which has a row for each, and totals, which has one. */
const SMALL =
  /^SCAN (?:worker_queue USING COVERING INDEX worker_queue_blocked_of|page|candidates|listed|workers|totals|json_each|names|versions|CONSTANT|\(subquery)/;

describe("every statement of a query", () => {
  it("finds its rows through an index", () => {
    const scans = [...statements]
      .filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql))
      .flatMap((sql) => planOf(sql).map((detail) => `${detail}: ${sql}`))
      .filter((line) => line.startsWith("SCAN ") && !SMALL.test(line));
    expect(statements.size).toBeGreaterThan(40);
    expect(scans).toEqual([]);
  });

  it("that reads a page of a long list reads it in its order", () => {
    const sorts = [...statements]
      .filter((sql) => /\bORDER BY\b/.test(sql) && /\bLIMIT\b/.test(sql))
      .filter((sql) => planOf(sql).some((detail) => detail.includes("TEMP B-TREE")))
      .filter(
        (sql) => !/FROM json_each\(\?\) AS (?:candidates|listed|page)|WHERE i\.instance_id = \?/.test(sql),
      );
    expect(sorts).toEqual([]);
  });
});
