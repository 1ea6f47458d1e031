import assert from "node:assert/strict";
import { test } from "node:test";
import { activity } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { checkout } from "../src/order.ts";

/** A step is replaced by an activity of its name. */
const steps = [
  activity("charge", async () => "receipt 1"),
  activity("pack", async () => {}),
  activity("ship", async () => "parcel 1"),
];

test("an order is charged, packed and shipped", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [checkout], activities: steps });
  const run = await env.start(checkout, { input: { id: "order-1", cents: 100 } });
  await env.advance({ seconds: 3 }); // virtual time: nothing sleeps
  assert.deepEqual(await run.result(), { receipt: "receipt 1", parcel: "parcel 1" });
});

test("a crash charges nobody twice", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [checkout], activities: steps });
  const run = await env.start(checkout, { input: { id: "order-1", cents: 100 } });
  await env.restart(); // as if the process had died while the order waits
  await env.advance({ seconds: 3 });
  await run.result();
  assert.equal(env.calls("charge").length, 1);
});

test("a warehouse that fails once is asked again", async () => {
  let attempts = 0;
  const ship = activity("ship", async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("no answer");
    return "parcel 2";
  });
  await using env = await TestEnvironment.create({
    orchestrations: [checkout],
    activities: [...steps, ship],
  });
  const run = await env.start(checkout, { input: { id: "order-1", cents: 100 } });
  assert.deepEqual(await run.runToEnd(), { receipt: "receipt 1", parcel: "parcel 2" });
});
