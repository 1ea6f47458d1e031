import assert from "node:assert/strict";
import { test } from "node:test";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { charge, checkout, handlers, ship } from "../src/orders.ts";

test("an order is charged and shipped", async () => {
  await using env = await TestEnvironment.create({
    ...handlers,
    activities: [charge.mock(async () => "here"), ship.mock(async () => "there")],
  });
  const run = await env.start(checkout, { input: { id: "order-1", cents: 100 } });
  await env.advance({ seconds: 1 });
  assert.deepEqual(await run.result(), { charged: "here", shipped: "there" });
});
