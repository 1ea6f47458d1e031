/** Work of ours that is for later, or ordered, beside a Rust worker (docs/cosmos/with-rust.md). */
import { type Client, orchestration } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LEASE_MS, OurWorker } from "./our-worker.ts";
import { clientAt, type Place, placeOn } from "./place.ts";
import * as programs from "./programs.ts";
import { RustWorker, withoutRust } from "./rust-peer.ts";

const RUST = { leaseMs: LEASE_MS };
const LONG = { timeout: 900_000 };

describe.skipIf(withoutRust())("beside a Rust worker", () => {
  let emulator: CosmosEmulator;
  let containers = 0;
  let place: Place;
  let client: Client;

  beforeAll(async () => {
    emulator = await CosmosEmulator.start({ port: 0 });
    return () => emulator[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    place = placeOn(emulator, `later-${containers++}`);
    const provider = await CosmosProvider.connect(place);
    client = clientAt(provider);
    return () => provider.close();
  });

  it("a debounced start is not taken before its time, and begins once, with the last input", async () => {
    await using _rust = await RustWorker.serve(place, RUST);
    const debounce = { wait: { seconds: 2 } };
    const beganMs = Date.now();
    for (const input of [10, 20, 30])
      await client.start("sequence", { instanceId: "i", input, debounce, ifExists: "restart" });
    const handle = client.handle("sequence", "i");
    expect(await handle.result(LONG)).toBe(45);
    expect(Date.now() - beganMs).toBeGreaterThanOrEqual(2_000);
    expect(await client.admin.executions("i")).toEqual([1]);
  });

  it("a schedule of ours fires, and its runs are those of either side", async () => {
    await using _rust = await RustWorker.serve(place, RUST);
    const { orchestrations, activities } = programs;
    await using _ours = await OurWorker.serve(place, { orchestrations, activities });
    await client.schedules.apply([
      { name: "often", every: { seconds: 1 }, orchestration: "sequence", input: 10, overlap: "allow" },
    ]);
    const filter = { schedule: "often", status: ["Completed"] } as const;
    const runs = async () => (await client.admin.query({ filter })).instances;
    await expect.poll(async () => (await runs()).length, LONG).toBeGreaterThanOrEqual(5);
    await client.schedules.pause("often", { reason: "enough" });
    const schedule = await client.schedules.get("often");
    expect(schedule).toMatchObject({ paused: { reason: "enough" } });
    expect(schedule?.lastFailure).toBeUndefined();
    const failed = { schedule: "often", status: ["Failed"] } as const;
    expect((await client.admin.query({ filter: failed })).instances).toEqual([]);
  });

  it("a call with a key or a priority is run by us", async () => {
    const ordered = orchestration("ordered", async (ctx, name: string) =>
      ctx.all([
        ctx.scheduleActivity(programs.greet, name, { limit: "partner/acme" }),
        ctx.scheduleActivity(programs.greet, name, { priority: 1 }),
      ]),
    );
    await using _rust = await RustWorker.serve(place, { ...RUST, orchestrations: 0 });
    const { activities } = programs;
    await using _ours = await OurWorker.serve(place, { orchestrations: [ordered], activities });
    const handle = await client.start(ordered, { instanceId: "i", input: "you" });
    const greeting = "Hello, you, from TypeScript";
    expect(await handle.result(LONG)).toEqual([greeting, greeting]);
  });
});
