/** The shop of the examples, and the traps that its first author fell into. */
import { silentLogger } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { cleanUp, nightly } from "../../examples/shop/nightly.ts";
import { approved, limits, order } from "../../examples/shop/order.ts";
import { services } from "../../examples/shop/services.ts";

const input = { id: "1", cents: 990, parcels: ["a", "b", "c"] };

async function open(): Promise<TestEnvironment> {
  const env = await TestEnvironment.create({ orchestrations: [order, cleanUp], logger: silentLogger });
  for (const [key, rule] of Object.entries(limits)) await env.client.limits.set(key, rule);
  return env;
}

beforeEach(() => {
  services.asked.length = 0;
  services.refused.clear();
});

describe("an order", () => {
  it("is shipped when it is approved", async () => {
    await using env = await open();
    const run = await env.start(order, { input });
    await run.raise(approved, { by: "Grace", ok: true });
    await env.advance({ minutes: 1 });

    expect(await run.result()).toBe("label-a, label-b, label-c");
  });

  it("undoes everything, the last first, if a parcel cannot be labelled", async () => {
    services.refused.add("label b");
    await using env = await open();
    const run = await env.start(order, { input });
    await run.raise(approved, { by: "Grace", ok: true });
    await env.advance({ minutes: 1 });

    await expect(run.result()).rejects.toThrow("label b: refused");
    expect(services.asked.filter((what) => !what.startsWith("label"))).toEqual([
      "reserve 1",
      "charge 1",
      "cancel label c",
      "cancel label a",
      "refund 1",
      "release 1",
    ]);
  });

  it("releases its stock if nobody approves it", async () => {
    await using env = await open();
    const run = await env.start(order, { input });
    await env.advance({ days: 2 });

    expect(await run.result()).toBe("nobody approved");
    expect(services.asked).toEqual(["reserve 1", "release 1"]);
  });

  it("that is cancelled gives up nothing while a service is down for an hour", async () => {
    services.refused.add("release");
    await using env = await open();
    const run = await env.start(order, { input });
    await run.cancel("no longer needed");
    await env.advance({ hours: 1 });
    expect((await run.status()).status).toBe("Running");
    services.refused.clear();
    await env.advance({ hours: 1 });

    await expect(run.result()).rejects.toThrow("canceled: no longer needed");
    expect(services.asked.at(-1)).toBe("release 1");
  });
});

it("the partner gets at most ten calls in any second", async () => {
  await using env = await open();
  const runs = await Promise.all(
    Array.from({ length: 20 }, (_, n) => env.start(order, { input: { ...input, id: `${n}` } })),
  );
  for (const run of runs) await run.raise(approved, { by: "Grace", ok: true });
  await env.advance({ minutes: 1 });

  const histories = await Promise.all(runs.map(({ instanceId }) => env.client.admin.timeline(instanceId)));
  const calls = histories
    .flatMap(({ steps }) => steps.filter((step) => step.kind === "activity"))
    .filter(({ name }) => name === "label");
  const callsMs = calls
    .flatMap(({ attempts }) => attempts.map(({ ran }) => ran?.startedAtMs ?? 0))
    .sort((a, b) => a - b);
  expect(callsMs).toHaveLength(60);
  for (let n = 10; n < callsMs.length; n++)
    expect((callsMs[n] ?? 0) - (callsMs[n - 10] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

it("carts are deleted at three in Berlin, in winter and in summer", async () => {
  await using env = await open();
  await env.client.schedules.apply([nightly]);
  await env.advance({ days: 400 });

  expect(services.asked).toHaveLength(400);
  const { instances } = await env.client.schedules.runs("nightly", { limit: 400 });
  const inBerlin = { timeZone: "Europe/Berlin", hour: "2-digit", minute: "2-digit", hour12: false } as const;
  const times = instances.map(({ createdAtMs }) =>
    new Date(createdAtMs).toLocaleTimeString("de-DE", inBerlin),
  );
  expect(new Set(times)).toEqual(new Set(["03:00"]));
});
