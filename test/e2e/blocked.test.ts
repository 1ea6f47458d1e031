/** Work that cannot go on here waits, visibly, and goes on by itself when fitting code takes it. */

import { activity, type Blocked, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { runs } from "../support/effort.ts";
import type { Environment } from "../support/environment.ts";
import { engineScenario, onEveryStore } from "../support/scenario.ts";

const echo = activity("echo", async (_ctx, value: unknown) => value);
const other = activity("other", async (_ctx, value: unknown) => value);

/** Calls an activity, and then waits for an approval until a deadline. */
const approval = (name: string, version = "1.0.0") =>
  orchestration("approval", { version }, async (ctx) => {
    await ctx.scheduleActivity(name, 1);
    const { index } = await ctx.race([ctx.waitForEvent("approved"), ctx.scheduleTimer({ minutes: 1 })]);
    return index === 0 ? "approved" : "too late";
  });

async function blockedOf(env: Environment): Promise<Blocked[]> {
  const found: Blocked[] = [];
  for await (const blocked of env.client.admin.blocked()) found.push(blocked);
  return found;
}

// turn.T3
describe("an instance whose code does not fit its history", () => {
  const begin = async (start: Parameters<Parameters<typeof onEveryStore>[1]>[0]) => {
    const env = await start({ orchestrations: [approval("echo")], activities: [echo, other] });
    const handle = await env.client.start("approval", { instanceId: "i" });
    await env.advance(1_000);
    await env.restart({ orchestrations: [approval("other")] });
    return { env, handle };
  };

  onEveryStore(
    "is blocked, which its status and the list say, and goes on with the right code",
    async (start) => {
      const { env, handle } = await begin(start);
      await handle.raise("approved");
      await env.advance(1_000);

      const status = await handle.status();
      const detail = expect.stringContaining('the code asks for activity "other"');
      expect(status).toMatchObject({ status: "Running", blocked: [{ reason: "nondeterminism", detail }] });
      expect(await blockedOf(env)).toMatchObject([{ instanceId: "i", reason: "nondeterminism" }]);

      await env.restart({ orchestrations: [approval("echo")] });
      expect(await env.finish(handle)).toBe("approved");
      expect(await blockedOf(env)).toEqual([]);
    },
  );

  onEveryStore("is not poison however long that takes, and is logged once a minute", async (start) => {
    const { env, handle } = await begin(start);
    await handle.raise("approved");
    await env.advance(20 * 60_000);

    const told = env.log.entries.filter(({ fields }) => fields["event"] === "orchestration_nondeterministic");
    expect(told.length).toBeGreaterThan(15);
    expect(told.length).toBeLessThanOrEqual(21);
    await env.restart({ orchestrations: [approval("echo")] });
    expect(await env.finish(handle)).toBe("approved");
  });

  onEveryStore("keeps the order of its messages: an approval in time wins after any delay", async (start) => {
    const { env, handle } = await begin(start);
    await handle.raise("approved");
    // The deadline falls due while the approval is hidden by the back-off.
    await env.advance(5 * 60_000);
    await env.restart({ orchestrations: [approval("echo")] });

    expect(await env.finish(handle)).toBe("approved");
  });

  onEveryStore("can be cancelled", async (start) => {
    const { env, handle } = await begin(start);
    await handle.raise("approved");
    await env.advance(1_000);
    await handle.cancel("given up");

    expect((await env.failure(handle)).message).toBe("canceled: given up");
    expect(await blockedOf(env)).toEqual([]);
  });
});

// orchestration-dispatcher.O2: it does not count.
describe("an instance whose version no runtime has", () => {
  onEveryStore("is blocked and goes on when it comes back", async (start) => {
    const env = await start({
      orchestrations: [approval("echo")],
      activities: [echo],
      options: { maxAttempts: 1 },
    });
    const handle = await env.client.start("approval", { instanceId: "i" });
    await env.advance(1_000);
    await env.restart({ orchestrations: [approval("echo", "2.0.0")] });
    await handle.raise("approved");
    await env.advance(10 * 60_000);

    const detail =
      'orchestration "approval" 1.0.0 is not registered here, only 2.0.0; register this version as well';
    expect((await handle.status()).status).toBe("Running");
    expect(await blockedOf(env)).toMatchObject([
      { instanceId: "i", reason: "missing-orchestration", detail },
    ]);

    await env.restart({ orchestrations: [approval("echo"), approval("echo", "2.0.0")] });
    expect(await env.finish(handle)).toBe("approved");
  });

  onEveryStore("can be cancelled", async (start) => {
    const env = await start({ orchestrations: [approval("echo")], activities: [echo] });
    const handle = await env.client.start("approval", { instanceId: "i" });
    await env.advance(1_000);
    await env.restart({ orchestrations: [approval("echo", "2.0.0")] });
    await handle.cancel("given up");

    expect((await env.failure(handle)).message).toBe("canceled: given up");
  });

  onEveryStore("that was never begun is not found, and its status says why", async (start) => {
    const env = await start({ orchestrations: [approval("echo")], activities: [echo] });
    const handle = await env.client.start("unknown", { instanceId: "u" });
    await env.advance(12_000);

    expect(await handle.status()).toMatchObject({
      status: "NotFound",
      blocked: [{ reason: "missing-orchestration", detail: expect.stringContaining('"unknown"') }],
    });
    await handle.cancel("given up");
    expect((await env.failure(handle)).message).toBe("canceled: given up");
  });
});

describe("an activity that no runtime has", () => {
  const calls = orchestration("calls", async (ctx) => ctx.scheduleActivity("rare", 1));

  onEveryStore(
    "is blocked, which its instance's status says, and runs when a runtime has it",
    async (start) => {
      const env = await start({ orchestrations: [calls], activities: [echo], options: { maxAttempts: 1 } });
      const handle = await env.client.start(calls, { instanceId: "i" });
      await env.advance(10 * 60_000);

      expect(await handle.status()).toMatchObject({
        status: "Running",
        blocked: [{ reason: "missing-activity", activity: { name: "rare", activityId: 2 } }],
      });
      await env.restart({ activities: [activity("rare", async (ctx) => ctx.attempt)] });
      expect(await env.finish(handle)).toBe(1);
      expect(await blockedOf(env)).toEqual([]);
    },
  );
});

describe("many waiting instances", () => {
  const many = Array.from({ length: runs(200) }, (_, n) => `i${n}`);

  engineScenario("survive a deployment with changed code and one that forgot a version", async (start) => {
    const env = await start({ orchestrations: [approval("echo")], activities: [echo, other] });
    for (const instanceId of many) await env.client.start("approval", { instanceId });
    await env.advance(1_000);
    await env.restart({ orchestrations: [approval("other")] });
    for (const id of many) await env.client.handle("approval", id).raise("approved");
    await env.advance(30_000);
    expect(await blockedOf(env)).toHaveLength(many.length);

    await env.restart({ orchestrations: [approval("echo", "3.0.0")] });
    await env.advance(120_000);
    expect(await blockedOf(env)).toHaveLength(many.length);

    await env.restart({ orchestrations: [approval("echo")] });
    const outputs = [];
    for (const id of many) outputs.push(await env.finish(env.client.handle("approval", id)));
    expect(new Set(outputs)).toEqual(new Set(["approved"]));
  });
});
