/** docs/testing.md: mocking, time, events, failures. */
import { sleep } from "@duroxide-ts/core";
import { StalledError, TestEnvironment, UnseenFailuresError } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, test } from "vitest";
import { approved, charge, checkout, ship } from "./checkout.ts";

const order = { id: "42" };
const orchestrations = [checkout];
const activities = [charge, ship];

test("mocking", async () => {
  // #region mocking
  await using env = await TestEnvironment.create({
    orchestrations,
    activities: [...activities, ship.mock(async (_ctx, receipt) => `test label for ${receipt}`)],
  });
  const run = await env.start(checkout, { input: order, instanceId: "order-42" });
  await run.raise(approved, true);

  expect(await run.result()).toBe("test label for receipt of 42");
  expect(env.calls(ship)).toMatchObject([{ input: "receipt of 42", instanceId: "order-42", attempt: 1 }]);
  // #endregion
});

test("mockAll", async () => {
  // #region mock-all
  await using env = await TestEnvironment.create({ orchestrations, activities, mockAll: true });
  const run = await env.start(checkout, { input: order });
  await expect(run.result()).rejects.toThrow('activity "charge" is not mocked');
  // #endregion
});

test("spies", async () => {
  await using env = await TestEnvironment.create({ orchestrations, activities });
  // #region spies
  const run = await env.start(checkout, { input: order, instanceId: "order-42" });
  const [deadline] = env.timers(run);
  expect(deadline?.dueMs).toBe(env.clock.now() + 24 * 3_600_000);
  expect(await run.waits()).toMatchObject([{ kind: "event", name: "approved" }, { kind: "timer" }]);

  await run.raise(approved, true);
  expect(env.events()).toMatchObject([{ name: "approved", data: true, instanceId: "order-42" }]);
  expect(env.children()).toEqual([]);
  // #endregion
});

test("failures that the test did not look at", async () => {
  await using env = await TestEnvironment.create({ orchestrations, activities });
  // #region unseen
  const run = await env.start(checkout, { input: order, instanceId: "order-42" });
  await env.advance({ hours: 25 }); // fails meanwhile; time may not move on before the test has read it
  await expect(env.advance({ hours: 1 })).rejects.toThrow(UnseenFailuresError);

  const expected = await env.start(checkout, { input: order });
  env.ignoreFailures(expected); // or env.ignoreFailures(), for all instances
  await env.advance({ hours: 25 });
  await env.advance({ hours: 1 });
  expect(await run.status()).toMatchObject({ message: "nobody approved" });
  // #endregion
});

test("time", async () => {
  await using env = await TestEnvironment.create({ orchestrations, activities });
  // #region time
  const run = await env.start(checkout, { input: order });
  await env.advance({ hours: 23, minutes: 59 });
  expect(await run.status()).toMatchObject({ status: "Running" });
  await env.advance({ minutes: 1 });
  expect(await run.status()).toMatchObject({ status: "Failed", message: "nobody approved" });

  const another = await env.start(checkout, { input: order });
  await expect(another.runToEnd()).rejects.toThrow("nobody approved"); // as far as timers carry it
  // #endregion
});

test("stalled", async () => {
  await using env = await TestEnvironment.create({ orchestrations, activities });
  // #region stalled
  const run = await env.start(checkout, { input: order });
  await expect(run.result()).rejects.toThrow(StalledError);
  // #endregion
  const error: Error = await run.result().then(String, (thrown) => thrown);
  expect(
    error.message
      .replace(/\(\S*?(\w+\.ts):\d+:\d+\)/g, "($1)")
      .split("\n")
      .slice(1),
  ).toEqual([
    '  - the event "approved" (checkout.ts): run.raise("approved", …) delivers it',
    "  - a timer, due in 1 day (checkout.ts): env.advance({ days: 1 }) fires it",
  ]);
});

test("failures", async () => {
  // #region failures
  let failures = 2;
  await using env = await TestEnvironment.create({
    orchestrations,
    activities: [
      ship,
      charge.mock(async () => {
        if (failures-- > 0) throw new Error("the bank is asleep");
        return "receipt";
      }),
    ],
  });
  const run = await env.start(checkout, { input: order });
  await env.advance({ seconds: 1 }); // the waiting time between the attempts
  expect(env.calls(charge).map(({ outcome }) => outcome.kind)).toEqual(["threw", "threw", "returned"]);
  await run.raise(approved, true);
  expect(await run.result()).toBe("label for receipt");
  // #endregion
});

test("crash", async () => {
  // #region crash
  await using env = await TestEnvironment.create({ orchestrations, activities });
  const run = await env.start(checkout, { input: order });
  await env.restart({ orchestrations: [checkout] }); // the process dies; another one has today's code
  await run.raise(approved, true);
  expect(await run.result()).toBe("label for receipt of 42");
  expect(env.calls(charge)).toHaveLength(1);
  // #endregion
});

test("slow activities", async () => {
  // #region slow
  await using env: TestEnvironment = await TestEnvironment.create({
    orchestrations,
    activities: [
      ship,
      charge.mock(async () => {
        await sleep(env.clock, 90_000); // the environment's time, which advance moves
        return "receipt";
      }),
    ],
  });
  const run = await env.start(checkout, { input: order });
  await env.advance({ seconds: 90 });
  await run.raise(approved, true);
  expect(await run.result()).toBe("label for receipt");
  // #endregion
});

test("the real store", async () => {
  // #region sqlite
  await using env = await TestEnvironment.create({
    orchestrations,
    activities,
    provider: (clock) => SqliteProvider.open(":memory:", { clock }),
  });
  const run = await env.start(checkout, { input: order });
  await run.raise(approved, true);
  expect(await run.result()).toBe("label for receipt of 42");
  // #endregion
});
