import assert from "node:assert/strict";
import { test } from "node:test";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { checkout, payments } from "../src/orders.ts";

test("an order that is paid is shipped", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [checkout] });
  const run = await env.start(checkout, { input: { sku: "A-1", cents: 500 } });
  await run.enqueue(payments, { cents: 500 });
  assert.equal(await run.result(), "A-1 is on its way");
});

test("an order waits two days for its payment", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [checkout] });
  const run = await env.start(checkout, { input: { sku: "A-1", cents: 500 } });
  await env.advance({ days: 2 });
  assert.equal(await run.result(), "A-1: nobody paid");
});
