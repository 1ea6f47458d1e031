/**
 * Lists of instances in a SQLite file with a million of them: the time of a page, from the call to its result, wherever
 * the page lies.
 */
import type { InstanceQuery, ProviderAdmin, WorkQuery } from "@duroxide-ts/core/stores";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "./database.ts";
import { latencyFigures, round } from "./figures.ts";
import { BEGINNING_MS, fillWithInstances } from "./million-instances.ts";

const QUERIES: Readonly<Record<string, InstanceQuery>> = {
  all: {},
  "oldest first": { order: "created-asc" },
  "by update": { order: "updated-desc" },
  "a name": { filter: { name: ["orchestration-07"] } },
  "a name, failed": { filter: { name: ["orchestration-12"], status: ["Failed"] } },
  "a name, by update": { filter: { name: ["orchestration-07"] }, order: "updated-desc" },
  running: { filter: { status: ["Running"] } },
  "failed, by update": { filter: { status: ["Failed"] }, order: "updated-desc" },
  "failed, of an hour": {
    filter: {
      status: ["Failed"],
      createdFromMs: BEGINNING_MS + 30_000_000,
      createdToMs: BEGINNING_MS + 33_600_000,
    },
  },
  cancelled: { filter: { failureCategory: ["cancelled"] } },
  "an old version, running": { filter: { version: ["1.0.0"], status: ["Running"] } },
  "a prefix of 1,000": { filter: { idPrefix: "order-00500" } },
  "a prefix of 100,000": { filter: { idPrefix: "order-007" } },
  "roots only": { filter: { rootsOnly: true } },
  "children of one": { filter: { parentId: "order-00500002" } },
  "a tag": { filter: { tags: { tenant: "tenant-07" } } },
  "a tag, oldest first": { filter: { tags: { tenant: "tenant-07" } }, order: "created-asc" },
  "a tag, failed": { filter: { tags: { tenant: "tenant-12" }, status: ["Failed"] } },
  "a tag, by update": { filter: { tags: { tenant: "tenant-07" } }, order: "updated-desc" },
  "two tags": { filter: { tags: { tenant: "tenant-07", priority: 7 } } },
  "a tag and a name": { filter: { tags: { tenant: "tenant-07" }, name: ["orchestration-07"] } },
  "a tag of one": { filter: { tags: { order: 500_000 } } },
  "a range of 1,000": { filter: { tags: { order: { gte: 500_000, lt: 501_000 } } } },
  "a range of 200,000": { filter: { tags: { priority: { gte: 8 } } } },
  blocked: { filter: { blocked: true } },
  "errors with a text": { filter: { errorContains: "00999914" } },
};

const WORK: Readonly<Record<string, WorkQuery>> = {
  "all rows": {},
  "overdue rows": { overdueByMs: 60_000 },
  "rows of one": { instanceId: "order-00500000" },
};

/** Pages that are read of each list. */
const PAGES = 2_000;

export async function measureQueries(): Promise<readonly object[]> {
  return withFile(async (path) => {
    await fillWithInstances(path);
    await using provider = await SqliteProvider.open(path);
    return await measureAll(provider.admin);
  });
}

async function measureAll(admin: ProviderAdmin): Promise<readonly object[]> {
  const lines: object[] = [];
  for (const [name, query] of Object.entries(QUERIES)) lines.push(await measureList(name, admin, query));
  for (const [name, query] of Object.entries(WORK)) lines.push(await measureWork(name, admin, query));
  lines.push(await measureOne("count", () => admin.countInstances()));
  lines.push(await measureOne("count by all", () => admin.countInstances({}, ["name", "version", "status"])));
  lines.push(await measureOne("count of roots", () => admin.countInstances({ rootsOnly: true }, ["status"])));
  lines.push(await measureOne("open", () => admin.getInstanceInfo("order-00500000")));
  return lines;
}

async function measureList(name: string, admin: ProviderAdmin, query: InstanceQuery): Promise<object> {
  return measurePages(`list: ${name}`, async (continuation) => {
    const page = await admin.queryInstances({
      ...query,
      ...(continuation !== undefined && { continuation }),
    });
    return { rows: page.instances.length, continuation: page.continuation };
  });
}

async function measureWork(name: string, admin: ProviderAdmin, query: WorkQuery): Promise<object> {
  return measurePages(`work: ${name}`, async (continuation) => {
    const page = await admin.listWork({ ...query, ...(continuation !== undefined && { continuation }) });
    return { rows: page.work.length, continuation: page.continuation };
  });
}

interface Page {
  readonly rows: number;
  readonly continuation: string | undefined;
}

async function measurePages(
  workload: string,
  read: (continuation: string | undefined) => Promise<Page>,
): Promise<object> {
  const times: number[] = [];
  let rows = 0;
  let continuation: string | undefined;
  do {
    const beganMs = performance.now();
    const page = await read(continuation);
    times.push(performance.now() - beganMs);
    rows += page.rows;
    continuation = page.continuation;
  } while (continuation !== undefined && times.length < PAGES);
  return { workload, pages: times.length, rows, first_ms: round(times[0] ?? 0), ...latencyFigures(times) };
}

async function measureOne(workload: string, run: () => Promise<unknown>): Promise<object> {
  const beganMs = performance.now();
  await run();
  return { workload, ms: round(performance.now() - beganMs) };
}
