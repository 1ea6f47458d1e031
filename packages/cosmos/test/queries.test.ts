/** Queries of operators: what a page costs, containers without our indexes, and the documents of processes. */
import type { InstanceQuery, InstanceSummary, WorkerReport } from "@duroxide-ts/core/stores";
import { createInstance, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { START_MS } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("queries");

/** Documents as Rust or we store them, oldest first. */
async function addInstances(count: number, versionOf: (n: number) => string): Promise<void> {
  const add = async (n: number): Promise<unknown> =>
    stage.raw.items.create({
      id: `i${n}:instance`,
      instanceId: `i${n}`,
      type: "instance",
      orchestrationName: "TestOrch",
      orchestrationVersion: versionOf(n),
      currentExecutionId: 1,
      status: "Running",
      output: null,
      parentInstanceId: null,
      pinnedDuroxideVersionPacked: null,
      customStatus: null,
      customStatusVersion: 0,
      lockToken: null,
      lockedUntil: null,
      createdAt: START_MS + n,
      updatedAt: START_MS + n,
    });
  for (let first = 0; first < count; first += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - first) }, (_, at) => add(first + at)));
  }
}

interface Pages {
  readonly instances: readonly InstanceSummary[];
  readonly sizes: readonly number[];
  readonly units: readonly number[];
}

async function pagesOf(query: InstanceQuery): Promise<Pages> {
  const { admin } = stage.provider;
  const instances: InstanceSummary[] = [];
  const sizes: number[] = [];
  const units: number[] = [];
  let continuation: string | undefined;
  do {
    const page = await admin.queryInstances({
      ...query,
      ...(continuation !== undefined && { continuation }),
    });
    instances.push(...page.instances);
    sizes.push(page.instances.length);
    units.push(page.cost?.requestUnits ?? 0);
    continuation = page.continuation;
  } while (continuation !== undefined);
  return { instances, sizes, units };
}

it("a page with a condition that has no index ends after 1,000 documents, and says what it cost", async () => {
  await addInstances(1_500, (n) => (n === 3 ? "9.0.0" : "1.0.0"));
  const { instances, sizes, units } = await pagesOf({ filter: { version: ["9.0.0"] } });
  expect(instances.map(({ instanceId }) => instanceId)).toEqual(["i3"]);
  expect(sizes).toEqual([0, 1]);
  for (const each of units) expect(each).toBeGreaterThan(2);
});

it("a page costs the same wherever it lies", async () => {
  await addInstances(600, () => "1.0.0");
  const { instances, units } = await pagesOf({ filter: { name: ["TestOrch"] }, limit: 50 });
  expect(instances).toHaveLength(600);
  expect(units).toHaveLength(12);
  expect(Math.max(...units)).toBeLessThan(3 * Math.min(...units));
});

it("a page costs the same in a larger container", async () => {
  const { admin } = stage.provider;
  const unitsOf = async (): Promise<number> =>
    (await admin.queryInstances({ limit: 50 })).cost?.requestUnits ?? 0;
  await addInstances(100, () => "1.0.0");
  // The first query also reads the list of partitions.
  await unitsOf();
  const small = await unitsOf();
  for (let n = 0; n < 300; n++) await stage.provider.enqueueForOrchestrator(startItem(`queued-${n}`));
  expect(await unitsOf()).toBeCloseTo(small, 6);
});

it("a count says what it cost, which grows with what it reads", async () => {
  const { admin } = stage.provider;
  const { cost: ofNone } = await admin.countInstances({}, ["name"]);
  await addInstances(200, () => "1.0.0");
  const { counts, cost } = await admin.countInstances({}, ["name"]);
  expect(counts).toEqual([{ key: ["TestOrch"], count: 200 }]);
  expect(ofNone?.requestUnits).toBeGreaterThan(2);
  expect(cost?.requestUnits).toBeGreaterThan((ofNone?.requestUnits ?? 0) + 1);
  expect((await admin.countInstances()).cost?.requestUnits).toBeGreaterThan(2);
});

it("a container without the index on names answers all the same", async () => {
  const { resource } = await stage.raw.read();
  if (resource === undefined) throw new Error("there is no container");
  const { indexingPolicy } = resource;
  const includedPaths = indexingPolicy?.includedPaths?.filter(({ path }) => path !== "/orchestrationName/?");
  expect(includedPaths?.length).toBe((indexingPolicy?.includedPaths?.length ?? 0) - 1);
  await stage.raw.replace({
    ...resource,
    indexingPolicy: { ...indexingPolicy, includedPaths: includedPaths ?? [] },
  });
  await createInstance(stage, "a");
  const { instances } = await pagesOf({ filter: { name: ["TestOrch"], status: ["Running"] } });
  expect(instances.map(({ instanceId }) => instanceId)).toEqual(["a"]);
});

it("an execution that Rust continued is listed as running", async () => {
  await addInstances(1, () => "1.0.0");
  const { resource } = await stage.raw.item("i0:instance", "i0").read<Record<string, unknown>>();
  await stage.raw.items.upsert({ ...resource, status: "ContinuedAsNew", output: "{}" });
  const { instances } = await pagesOf({ filter: { status: ["Running"] } });
  expect(instances).toMatchObject([{ instanceId: "i0", status: "Running", output: null }]);
  expect((await pagesOf({ filter: { status: ["ContinuedAsNew"] } })).instances).toEqual([]);
  const { counts } = await stage.provider.admin.countInstances({}, ["status"]);
  expect(counts).toEqual([{ key: ["Running"], count: 1 }]);
});

it("a process has one small document, which the service deletes when the process is dead", async () => {
  const { admin } = stage.provider;
  const slots = { busy: 0, all: 1 };
  const report: WorkerReport = {
    host: "h",
    pid: 1,
    startedAtMs: 1,
    packageVersion: "1.0.0",
    orchestrations: [{ name: "checkout", version: "1.0.0" }],
    activities: ["charge"],
    turns: slots,
    activitySlots: slots,
  };
  await admin.reportWorker("w", report);
  await admin.reportWorker("w", report);
  const { resources } = await stage.raw.items.query("SELECT * FROM c WHERE c.type = 'worker'").fetchAll();
  expect(resources).toMatchObject([{ instanceId: "__workers__", ttl: 120, report }]);
  expect((await pagesOf({})).instances).toEqual([]);
});
