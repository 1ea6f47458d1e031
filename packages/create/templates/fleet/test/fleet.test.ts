import assert from "node:assert/strict";
import { test } from "node:test";
import { runFleet, summary } from "../src/fleet.ts";

test("two processes share the work of a container", async () => {
  const outcomes = await runFleet(6);
  assert.equal(outcomes.length, 6);
  assert.match(summary(outcomes), /^6 orders have ended\nprocess \d+: \d+ activities/);
});
