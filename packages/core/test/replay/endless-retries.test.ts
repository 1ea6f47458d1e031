/** A call may be retried without an end, as compensations want it. */
import { expect, it } from "vitest";
import { activity, orchestration } from "../../src/index.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

it("a call with endless retries goes on until an attempt succeeds", async () => {
  let runs = 0;
  const refund = activity("refund", async () => {
    if (++runs < 40) throw new Error("the bank is down");
    return "refunded";
  });
  const order = orchestration("order", async (ctx) =>
    ctx.scheduleActivity(refund, undefined, {
      retry: { maxAttempts: Number.POSITIVE_INFINITY, backoff: { kind: "fixed", delay: { hours: 1 } } },
    }),
  );
  await using env = await TestEnvironment.create({ orchestrations: [order], activities: [refund] });
  const run = await env.start(order, { instanceId: "i" });
  await env.advance({ days: 1 });
  const { waits } = await env.client.admin.timeline("i");
  expect(waits).toMatchObject([{ kind: "activity", attempt: 26 }]);
  expect(waits[0]).not.toHaveProperty("maxAttempts");
  await env.advance({ days: 1 });
  expect(await run.result()).toBe("refunded");
});
