/** Permits of instances: they outlive processes, and none is lost (docs/decisions/limits.md). */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { limitsPartition } from "../../src/documents/ids.ts";
import type { Actor } from "../support/stage.ts";
import { useStage } from "../support/use-stage.ts";

const stage = useStage("limited-instances", () =>
  stage.provider.limits.setLimit("one", { rule: { concurrency: 1 }, perMs: 0 }),
);

const waits = orchestration("waits", async (ctx) => {
  await ctx.waitForEvent("go");
});

const clientOf = ({ provider }: Pick<Actor, "provider">): Client =>
  new Client(provider, { clock: stage.clock, logger: silentLogger });

/** Lets a runtime on the provider work for a while. */
async function work({ provider }: Pick<Actor, "provider">, forMs: number): Promise<void> {
  const runtime = await Runtime.start({
    provider,
    clock: stage.clock,
    orchestrations: [waits],
    logger: silentLogger,
    reportWorker: false,
  });
  await stage.clock.advance(forMs);
  const ending = runtime.shutdown({ graceMs: 0 });
  await stage.clock.advance(1_000);
  await ending;
}

async function statusOf(instanceId: string): Promise<string> {
  return (await clientOf(stage).handle(waits, instanceId).status()).status;
}

const start = (instanceId: string): Promise<unknown> =>
  clientOf(stage).start(waits, { instanceId, limit: "one" });

it("a permit is kept without any process", async () => {
  await start("a");
  const first = await stage.openAnother();
  await work(first, 2_000);
  await first.provider.close();
  await stage.clock.advance(86_400_000);
  await start("b");
  await work(stage, 60_000);
  expect([await statusOf("a"), await statusOf("b")]).toEqual(["Running", "Waiting"]);
  expect(await clientOf(stage).limits.get("one")).toMatchObject({ running: 1, waiting: 1 });
});

it("an instance begins whose permit was granted by a process that died before it could answer", async () => {
  await start("a");
  await stage.raw.items.create({
    id: "permit:a",
    instanceId: limitsPartition("one"),
    type: "limit_permit",
    key: "one",
    instance: "a",
    grantedAt: 1,
  });
  await stage.raw.items.create({
    id: "use:one",
    instanceId: limitsPartition("one"),
    type: "limit_use",
    level: "one",
    shares: {},
    instances: 1,
  });
  await work(stage, 2_000);
  expect(await statusOf("a")).toBe("Running");
  expect(await clientOf(stage).limits.get("one")).toMatchObject({ running: 1, waiting: 0 });
});

it("a permit ends where the process that ended its instance could not return it, or Rust ended it", async () => {
  await start("a");
  await work(stage, 2_000);
  const { resource } = await stage.raw.item("a:instance", "a").read();
  const { duroxideTs: _, ...asRust } = resource;
  await stage.raw.items.upsert({ ...asRust, status: "Completed", output: "null" });
  await start("b");
  await work(stage, 20_000);
  expect(await statusOf("b")).toBe("Running");
  expect(await clientOf(stage).limits.get("one")).toMatchObject({ running: 1, waiting: 0 });
});

it("a permit ends with the deletion and with the termination of its instance", async () => {
  await start("a");
  await work(stage, 2_000);
  await stage.provider.admin.deleteInstance("a", { force: true });
  await start("b");
  await work(stage, 2_000);
  expect(await statusOf("b")).toBe("Running");
  await clientOf(stage).admin.terminate("b", { reason: "a test" });
  expect(await clientOf(stage).limits.get("one")).toMatchObject({ running: 0, waiting: 0 });
});

it("a permit of a key ends at each of its levels", async () => {
  for (const key of ["group", "group/*"])
    await stage.provider.limits.setLimit(key, { rule: { concurrency: 1 }, perMs: 0 });
  const begin = (instanceId: string, limit: string): Promise<unknown> =>
    clientOf(stage).start(waits, { instanceId, limit });
  const end = (instanceId: string): Promise<void> => clientOf(stage).handle(waits, instanceId).raise("go");
  await begin("a", "group/one");
  await work(stage, 2_000);
  await end("a");
  await begin("b", "group/two");
  await work(stage, 60_000);
  expect([await statusOf("a"), await statusOf("b")]).toEqual(["Completed", "Running"]);
  await end("b");
  await begin("c", "group/one");
  await work(stage, 60_000);
  expect([await statusOf("b"), await statusOf("c")]).toEqual(["Completed", "Running"]);
});

it("instances and activities of one key count together", async () => {
  await stage.provider.limits.setLimit("one", { rule: { concurrency: 2 }, perMs: 0 });
  for (const id of ["a", "b", "c"]) await start(id);
  await work(stage, 2_000);
  expect(await clientOf(stage).limits.get("one")).toMatchObject({ running: 2, waiting: 1 });
  const fetched = await stage.provider.fetchWorkItem({
    lockTimeoutMs: 30_000,
    pollTimeoutMs: 0,
    tagFilter: { kind: "any" },
  });
  expect(fetched).toBeUndefined();
});

it("a rate holds for instances", async () => {
  await stage.provider.limits.setLimit("one", {
    rule: { rate: { max: 1, per: { minutes: 1 } } },
    perMs: 60_000,
  });
  for (const id of ["a", "b", "c"]) await start(id);
  await work(stage, 10_000);
  expect(await clientOf(stage).limits.get("one")).toMatchObject({ running: 1, waiting: 2 });
  await work(stage, 60_000);
  expect(await clientOf(stage).limits.get("one")).toMatchObject({ running: 2, waiting: 1 });
});
