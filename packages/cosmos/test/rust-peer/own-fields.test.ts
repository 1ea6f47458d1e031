/** Rust goes on with histories that have fields of ours, and ignores them (docs/reference/wire-format.md §2.1). */
import { type AnyActivity, activity, type Client, event, orchestration } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LEASE_MS, OurWorker } from "./our-worker.ts";
import { clientAt, type Place, placeOn } from "./place.ts";
import * as programs from "./programs.ts";
import { RustWorker, withoutRust } from "./rust-peer.ts";

const RUST = { leaseMs: LEASE_MS };
const LONG = { timeout: 900_000 };

describe.skipIf(withoutRust())("Rust goes on with an instance", () => {
  let emulator: CosmosEmulator;
  let containers = 0;
  let place: Place;
  let client: Client;

  beforeAll(async () => {
    emulator = await CosmosEmulator.start({ port: 0 });
    return () => emulator[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    place = placeOn(emulator, `container-${containers++}`);
    const provider = await CosmosProvider.connect(place);
    client = clientAt(provider);
    return () => provider.close();
  });

  it("that was tried again: `revision` and `key_execution`", async () => {
    const failsAtThree: readonly AnyActivity[] = [
      activity("add", async (_ctx, [a, b]: readonly [number, number]) => {
        if (b === 3) throw new Error("the bank is down");
        return a + b;
      }),
    ];
    const handle = await client.start("sequence", { instanceId: "i", input: 10 });
    {
      await using _ours = await OurWorker.serve(place, {
        orchestrations: programs.orchestrations,
        activities: failsAtThree,
      });
      await expect(handle.result(LONG)).rejects.toThrow("the bank is down");
    }
    await client.admin.retry("i", { by: "ada", reason: "the bank is back" });
    const stored = await client.admin.history("i", 2);
    expect(stored[0]).toMatchObject({ revision: { verb: "retry", of: 1, by: "ada" } });
    expect(stored.filter((it) => "key_execution" in it && it.key_execution === 1)).toHaveLength(3);

    await using _rust = await RustWorker.serve(place, RUST);
    expect(await client.handle("sequence", "i").result(LONG)).toBe(25);
    expect((await client.admin.history("i", 2)).slice(0, stored.length)).toEqual(stored);
  });

  /** Conversation like Rust's, but with a clean-up. */
  const conversation = orchestration("conversation", async (ctx, number: number) => {
    ctx.kv.set(programs.asked, number);
    ctx.onCancel(async (ctx) => ctx.waitForEvent(event("cleaned")));
    const wait = ctx.waitForEvent(programs.go);
    ctx.setCustomStatus("waiting");
    const told = await wait;
    await ctx.scheduleTimer({ ms: 50 });
    const letter = await ctx.dequeue(programs.letters);
    ctx.setCustomStatus("done");
    return ctx.scheduleActivity("add", [told, letter] as const);
  });

  /** We begin it, and it waits. */
  async function begun(): Promise<void> {
    await using _ours = await OurWorker.serve(place, { orchestrations: [conversation] });
    const handle = await client.start(conversation, { instanceId: "i", input: 1 });
    for await (const status of handle.customStatus(LONG)) if (status === "waiting") break;
    expect((await client.admin.history("i")).filter((it) => it.on_cancel === true)).toHaveLength(1);
  }

  it("that has registered a clean-up: `on_cancel`", async () => {
    await begun();
    await using _rust = await RustWorker.serve(place, RUST);
    const handle = client.handle(conversation, "i");
    await handle.raise(programs.go, 3);
    await handle.enqueue(programs.letters, 4);
    expect(await handle.result(LONG)).toBe(7);
  });

  it("that has registered a clean-up, and ends it without, when it is cancelled", async () => {
    await begun();
    await using _rust = await RustWorker.serve(place, RUST);
    const handle = client.handle(conversation, "i");
    await handle.cancel("enough");
    await expect(handle.result(LONG)).rejects.toThrow("canceled: enough");
  });

  it("that cleans up, and fails it, because its code does not make these calls", async () => {
    await begun();
    const handle = client.handle(conversation, "i");
    {
      await using _ours = await OurWorker.serve(place, { orchestrations: [conversation] });
      await handle.cancel("enough");
      await expect
        .poll(() => client.admin.timeline("i").then(({ waits }) => waits.map(({ name }) => name)), LONG)
        .toContain("cleaned");
    }
    await using _rust = await RustWorker.serve(place, RUST);
    await handle.raise("cleaned");
    await expect(handle.result(LONG)).rejects.toThrow("nondeterministic: history schedule");
  });
});
