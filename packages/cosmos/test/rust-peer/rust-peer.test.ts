/**
 * A worker of the Rust implementation and ours on one container (docs/cosmos/with-rust.md). The Rust program
 * is built by hand: README.md of this folder.
 */
import { type Client, type InstanceHandle, sleep, systemClock } from "@duroxide-ts/core";
import type { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HangingWorker, type HangsIn } from "./hanging-worker.ts";
import { LEASE_MS, OurWorker } from "./our-worker.ts";
import { connectOn, type Place } from "./place.ts";
import * as programs from "./programs.ts";
import { RustWorker, rustClient, withoutRust } from "./rust-peer.ts";
import { eventTimeMs, leaseEndMs, untilStored, whatIsWrong } from "./stored.ts";

const RUST = { leaseMs: LEASE_MS };

const LONG = { timeout: 240_000 };

/** Definitions that both sides have. */
const OURS = { orchestrations: programs.orchestrations, activities: programs.activities };

describe.skipIf(withoutRust())("a container that is shared with a Rust process", () => {
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
    ({ place, provider, client } = await connectOn(emulator, `container-${containers++}`));
    return () => provider.close();
  });
  afterEach(async () => expect(await whatIsWrong(place)).toEqual([]));

  const rust = (...call: readonly string[]): Promise<string> => rustClient(place, ...call);

  describe("routes activities by their tags", () => {
    it("from an orchestration of Rust to us", async () => {
      await using _rust = await RustWorker.serve(place, RUST);
      // Without orchestrations it never takes a turn of an orchestration that it does not know.
      await using _ours = await OurWorker.serve(place, {
        activities: programs.activities,
        workerTagFilter: { kind: "tags", tags: ["ours"] },
      });

      await rust("start", "rustAsks", "i", "ours");

      expect(await rust("wait", "i")).toBe("Hello, i, from TypeScript");
    });

    it("while we serve orchestrations, and leave those alone that only Rust knows", async () => {
      await using _ours = await OurWorker.serve(place, {
        ...OURS,
        workerTagFilter: { kind: "tags", tags: ["ours"] },
      });
      const ids = Array.from({ length: 10 }, (_, number) => `i-${number}`);
      const handles = await Promise.all(
        ids.map((id) => client.start("rustAsks", { instanceId: id, input: "ours" })),
      );
      await using _rust = await RustWorker.serve(place, RUST);

      for (const handle of handles) {
        expect(await handle.result({ timeout: 900_000 })).toBe(
          `Hello, ${handle.instanceId}, from TypeScript`,
        );
      }
    });

    it("and leaves steps in place to us", async () => {
      await using _rust = await RustWorker.serve(place, { ...RUST, orchestrations: 0 });
      const steps = { orchestrations: [programs.inPlace] };
      const handles = [];
      {
        await using _turns = await OurWorker.serve(place, { ...steps, workerConcurrency: 0 });
        // When Rust has run the activity of the second, it has seen the step of the first.
        for (const instanceId of ["i", "j"]) {
          handles.push(await client.start(programs.inPlace, { instanceId, input: "you" }));
          while ((await client.admin.history(instanceId)).length < 4) await sleep(systemClock, 50);
        }
      }
      await using _ours = await OurWorker.serve(place, steps);

      for (const handle of handles)
        expect(await handle.result()).toEqual(["Hello, you, from Rust", "Hello, you, in place"]);
    });

    it("from an orchestration of ours to Rust", async () => {
      await using _rust = await RustWorker.serve(place, { ...RUST, orchestrations: 0, tags: "rust" });
      await using _ours = await OurWorker.serve(place, {
        orchestrations: [programs.weAsk],
        activities: programs.activities,
      });

      const handle = await client.start(programs.weAsk, { instanceId: "i", input: "rust" });

      expect(await handle.result({ timeout: 900_000 })).toBe("Hello, i, from Rust");
    });
  });

  describe("carries events, queue messages, custom status and KV", () => {
    it("between our client and an orchestration that Rust runs", async () => {
      await using _rust = await RustWorker.serve(place, RUST);
      const handle = await client.start(programs.conversation, { instanceId: "i", input: 7 });

      await until(handle, "waiting");
      expect(await handle.get(programs.asked)).toBe(7);
      await handle.enqueue(programs.letters, 40);
      await handle.raise(programs.go, 2);

      expect(await handle.result({ timeout: 900_000 })).toBe(42);
      expect(await handle.status()).toMatchObject({ customStatus: "done" });
      expect(await handle.get(programs.asked)).toBe(7);
    });

    it("between Rust's client and an orchestration that we run", async () => {
      await using _ours = await OurWorker.serve(place, OURS);
      await rust("start", "conversation", "i", "7");

      await until(client.handle("conversation", "i"), "waiting");
      expect(await rust("status", "i")).toBe("waiting");
      expect(await rust("kv", "i", "asked")).toBe("7");
      await rust("enqueue", "i", "letters", "40");
      await rust("raise", "i", "go", "2");

      expect(await rust("wait", "i")).toBe("42");
      expect(await rust("status", "i")).toBe("done");
      expect(await rust("kv", "i", "asked")).toBe("7");
    });
  });

  it("a letter wins against short timers that both sides run, whichever side sends it", async () => {
    await using _rust = await RustWorker.serve(place, RUST);
    await using _ours = await OurWorker.serve(place, OURS);
    const numbers = Array.from({ length: 2 }, (_, number) => number);
    const handles = await Promise.all(
      numbers.map((number) => client.start(programs.racing, { instanceId: `race-${number}`, input: 1 })),
    );
    for (const [number, handle] of handles.entries()) {
      // In an execution that was continued, in the middle of its races.
      const latest = async (): Promise<number> =>
        (await provider.admin.getInstanceInfo(handle.instanceId)).currentExecutionId;
      await expect.poll(latest, LONG).toBeGreaterThan(1);
      if (number % 2 === 0) await handle.enqueue(programs.letters, number);
      else await rust("enqueue", handle.instanceId, "letters", String(number));
    }

    for (const [number, handle] of handles.entries()) {
      expect(await handle.result({ timeout: 900_000 })).toBe(number);
    }
    for (const { instanceId } of handles) {
      const executions = await provider.admin.listExecutions(instanceId);
      for (const { executionId, status, output } of executions.slice(0, -1))
        expect([status, output]).toEqual(["ContinuedAsNew", String(executionId + 1)]);
    }
  });

  const BY_RUST = "Hello, you, from Rust";
  const BY_US = "Hello, you, from TypeScript";

  describe("hands over an instance whose process was killed", () => {
    /** Place at which the victim dies: in the activity of the first step, or in the turn between the two. */
    const places: readonly HangsIn[] = ["greet", "relay"];

    it.each(places)("in %s, from Rust to us, when its lease is over", async (hangsIn) => {
      await using victim = await RustWorker.serve(place, { ...RUST, hangsIn });
      const handle = await client.start(programs.relay, { instanceId: "i", input: "you" });
      await victim.says(`hangs in ${hangsIn}`);

      await victim.kill();
      // Read before the other side serves, which may have locked the instance by then.
      const endMs = await leaseEndMs(place);
      await using _ours = await OurWorker.serve(place, OURS);

      expect(await handle.result({ timeout: 900_000 })).toEqual([
        hangsIn === "greet" ? BY_US : BY_RUST,
        BY_US,
      ]);
      expect(await eventTimeMs(place, "ActivityCompleted")).toBeGreaterThanOrEqual(endMs);
    });

    it.each(places)("in %s, from us to Rust, when its lease is over", async (hangsIn) => {
      await using victim = await HangingWorker.serve(place, hangsIn);
      const handle = await client.start(programs.relay, { instanceId: "i", input: "you" });
      await victim.says("hangs");

      await victim.kill();
      // Read before the other side serves, which may have locked the instance by then.
      const endMs = await leaseEndMs(place);
      await using _rust = await RustWorker.serve(place, RUST);

      expect(await handle.result({ timeout: 900_000 })).toEqual([
        hangsIn === "greet" ? BY_RUST : BY_US,
        BY_RUST,
      ]);
      expect(await eventTimeMs(place, "ActivityCompleted")).toBeGreaterThanOrEqual(endMs);
    });
  });

  it("keeps each session on the side that began it", async () => {
    await using _rust = await RustWorker.serve(place, RUST);
    const ids = Array.from({ length: 12 }, (_, number) => `session-${number}`);
    const handles = await Promise.all(
      ids.map((id) => client.start(programs.session, { instanceId: id, input: "you" })),
    );

    // From here on some sessions are Rust's, and the side that comes first takes each of the others. As slow as Rust
    // is, our activities wait long enough to be taken by it.
    await untilStored(place, "session");
    const slowly = programs.greet.mock(async (ctx, name) => {
      await sleep(systemClock, 100);
      return programs.greet.handler(ctx, name);
    });
    await using _ours = await OurWorker.serve(place, {
      orchestrations: [programs.session],
      activities: [slowly],
      workerConcurrency: 2,
    });

    for (const handle of handles) {
      const greetings = await handle.result({ timeout: 900_000 });
      expect(greetings).toHaveLength(5);
      expect(new Set(greetings).size).toBe(1);
    }
  });

  // Rust never resets the status (hazard W11), and we believe it; shared-with-rust.test.ts shows it without Rust.
  it("deletes no instance that Rust runs in its second execution", async () => {
    await using _rust = await RustWorker.serve(place, RUST);
    const handle = await client.start("secondRound", { instanceId: "i", input: 1 });
    await until(handle, "waiting");

    const code = "instance-still-running";
    await expect(client.admin.delete("i")).rejects.toMatchObject({ code });
    expect(await client.admin.deleteAll({})).toMatchObject({ instancesDeleted: 0 });

    await handle.raise(programs.go, 5);
    expect(await handle.result({ timeout: 900_000 })).toBe(5);
  });

  describe("keeps our turns when a Rust worker was frozen beyond its lease", () => {
    it("before its commit, which finds that its lock is gone", async () => {
      await using frozen = await RustWorker.serve(place, { ...RUST, hangsIn: "relay" });
      const handle = await client.start(programs.relay, { instanceId: "i", input: "you" });
      await frozen.says("hangs in relay");
      frozen.freeze();
      await using _ours = await OurWorker.serve(place, OURS);
      expect(await handle.result({ timeout: 900_000 })).toEqual([BY_RUST, BY_US]);

      frozen.thaw();
      frozen.goOn();
      // It tries to commit its turn, and then that the orchestration has failed.
      await frozen.logs("Failed to commit failure event");

      expect(await handle.result()).toEqual([BY_RUST, BY_US]);
    });

    // The commit has no condition (hazard W3). It fails because it begins with the removal of messages that we took.
    it("after it had sent its commit, which arrives when we are done", async () => {
      await using frozen = await RustWorker.serve(place, { ...RUST, hangsIn: "relay" });
      const handle = await client.start(programs.relay, { instanceId: "i", input: "you" });
      await frozen.says("hangs in relay");
      const lateMs = 2 * LEASE_MS;
      const match = { operation: "item.batch", container: place.container, partitionKey: "i" } as const;
      emulator.faults.add({ match, next: 1, effect: { kind: "delay", delayMs: lateMs } });
      const sentAtMs = systemClock.now();
      frozen.goOn();
      // The rule is gone when it has hit the commit.
      await expect.poll(() => emulator.faults.list(), { timeout: 900_000 }).toEqual([]);
      frozen.freeze();
      await using _ours = await OurWorker.serve(place, OURS);
      expect(await handle.result({ timeout: 900_000 })).toEqual([BY_RUST, BY_US]);
      expect(systemClock.now()).toBeLessThan(sentAtMs + lateMs);

      frozen.thaw();
      await frozen.logs("Batch operation failed with status 404");
      await frozen.logs("Failed to commit failure event");

      expect(await handle.result()).toEqual([BY_RUST, BY_US]);
    });
  });
});

async function until(handle: InstanceHandle<unknown>, customStatus: string): Promise<void> {
  for await (const status of handle.customStatus({ timeout: 900_000 })) if (status === customStatus) return;
}
