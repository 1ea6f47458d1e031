/** docs/testing.md: the first test. */
// #region first
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";
import { charge, checkout, ship } from "./checkout.ts";

test("an order that nobody approves fails after a day", async () => {
  await using env = await TestEnvironment.create({
    orchestrations: [checkout],
    activities: [charge, ship.mock(async () => "label-x")],
  });
  const run = await env.start(checkout, { input: { id: "42" } });
  await env.advance({ hours: 25 }); // virtual time: timers fire, nothing sleeps
  await expect(run.result()).rejects.toThrow("nobody approved");
  expect(env.calls(ship)).toEqual([]);
});
// #endregion
