/** A session of which an activity runs for longer than its locks last, beside a worker of the other side. */
import {
  type AnyActivity,
  activity,
  type Client,
  orchestration,
  Runtime,
  sleep,
  systemClock,
} from "@duroxide-ts/core";
import type { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CODEC, connectOn, type Place } from "./place.ts";
import * as programs from "./programs.ts";
import { RustWorker, withoutRust } from "./rust-peer.ts";
import { documentsOf, whatIsWrong } from "./stored.ts";

/** Duration of a lock, ms. With much less a busy machine loses the locks of live workers. */
const LOCK_MS = 15_000;

const RESULT = { timeout: 900_000 };

const BY_US = "Hello, you, from TypeScript";
const BY_RUST = "Hello, you, from Rust";

const RUST = { leaseMs: LOCK_MS };

/** Runs `count` activities of a session at once. After one, it waits for the number of further ones. */
const inTurn = orchestration("inTurn", async (ctx, count: number) => {
  const greet = (width: number) =>
    ctx.all(
      Array.from({ length: width }, () => ctx.scheduleActivity(programs.greet, "you", { session: "s" })),
    );
  const greetings = await greet(count);
  if (count > 1) return greetings;
  ctx.setCustomStatus("waiting");
  return [...greetings, ...(await greet(await ctx.waitForEvent(programs.go)))];
});

const block = activity("block", async () => {});
const keepBusy = orchestration("keepBusy", async (ctx) => ctx.scheduleActivity(block));

/** A place at which an activity stays until the test goes on. */
function hanging() {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    release: released.resolve,
    async pass(): Promise<void> {
      reached.resolve();
      await released.promise;
    },
  };
}

describe.skipIf(withoutRust())(
  "a session belongs to one process, with an activity longer than its lock",
  () => {
    let emulator: CosmosEmulator;
    let containers = 0;
    let place: Place;
    let provider: CosmosProvider;
    let client: Client;
    beforeAll(async () => {
      emulator = await CosmosEmulator.start({ port: 0 });
      return () => emulator[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      ({ place, provider, client } = await connectOn(emulator, `sessions-${containers++}`));
      return () => provider.close();
    });

    async function ownerOfSession(): Promise<unknown> {
      return (await documentsOf(place)).find(({ type }) => type === "session")?.["ownerId"];
    }

    /** A worker with one slot, which runs the orchestration; Rust runs activities only. */
    function serve(greet: typeof programs.greet, ...others: readonly AnyActivity[]): Promise<Runtime> {
      return Runtime.start({
        provider,
        codec: CODEC,
        orchestrations: [inTurn, keepBusy],
        activities: [greet, ...others],
        workerConcurrency: 1,
        workerLockTimeoutMs: LOCK_MS,
        sessionLockTimeoutMs: LOCK_MS,
      });
    }

    /** Waits until each lock has ended, and the other side has asked for work. */
    async function someLocks(): Promise<void> {
      await sleep(systemClock, 1.5 * LOCK_MS);
    }

    it("of ours, Rust begins no other activity of it meanwhile", async () => {
      const hung = hanging();
      const slowly = programs.greet.mock(async (ctx, name) => {
        await hung.pass();
        return programs.greet.handler(ctx, name);
      });
      await using runtime = await serve(slowly);
      const handle = await client.start(inTurn, { instanceId: "i", input: 2 });
      await hung.reached;
      await using _rust = await RustWorker.serve(place, { ...RUST, orchestrations: 0 });
      const owner = await ownerOfSession();
      await someLocks();
      expect(await ownerOfSession()).toBe(owner);

      hung.release();
      expect(await handle.result(RESULT)).toEqual([BY_US, BY_US]);
      await runtime.shutdown();
      expect(await whatIsWrong(place)).toEqual([]);
    });

    it("of Rust, we begin no other activity of it meanwhile, although we had the session before", async () => {
      const hung = hanging();
      let greeted = 0;
      const counting = programs.greet.mock(async (ctx, name) => {
        greeted++;
        return programs.greet.handler(ctx, name);
      });
      await using runtime = await serve(
        counting,
        block.mock(() => hung.pass()),
      );
      const handle = await client.start(inTurn, { instanceId: "i", input: 1 });
      for await (const status of handle.customStatus(RESULT)) if (status === "waiting") break;
      const other = await client.start(keepBusy, { instanceId: "other" });
      await hung.reached;
      // What Rust reads of our claim ends with the lock of our activity.
      await someLocks();
      await handle.raise(programs.go, 2);
      await using rust = await RustWorker.serve(place, { ...RUST, orchestrations: 0, hangsIn: "greet" });
      await rust.says("hangs in greet");
      hung.release();
      await other.result(RESULT);
      await someLocks();
      expect(greeted).toBe(1);

      rust.goOn();
      expect(await handle.result(RESULT)).toEqual([BY_US, BY_RUST, BY_RUST]);
      await runtime.shutdown();
      expect(await whatIsWrong(place)).toEqual([]);
    });
  },
);
