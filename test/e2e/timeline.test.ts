/** The timeline of instances that ran on a store. */
import { activity, event, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { scenario } from "../support/scenario.ts";

function flaky() {
  let runs = 0;
  return activity("charge", async (_ctx, cents: number) => {
    runs++;
    if (runs === 1) throw new Error("declined");
    return cents;
  });
}

const approved = event<boolean>("approved");

const checkout = orchestration("checkout", async (ctx, cents: number) => {
  const paid = await ctx.scheduleActivity("charge", cents, { retry: { maxAttempts: 3 } });
  await ctx.waitForEvent(approved);
  return paid;
});

describe("a timeline", () => {
  scenario("shows attempts and what the instance waits for", async (start) => {
    const env = await start({ orchestrations: [checkout], activities: [flaky()] });
    const { admin } = env.client;
    const handle = await env.client.start(checkout, { instanceId: "i", input: 5 });
    await env.advance(60_000);

    expect(await admin.timeline("i")).toMatchObject({
      instanceId: "i",
      executionId: 1,
      orchestrationName: "checkout",
      status: "Running",
      input: "5",
      steps: [
        {
          kind: "activity",
          name: "charge",
          outcome: "completed",
          maxAttempts: 3,
          attempts: [
            { number: 1, outcome: "failed", ran: { delivery: 1 }, pause: { endedAtMs: expect.any(Number) } },
            { number: 2, outcome: "completed", ran: { delivery: 1 } },
          ],
        },
        { kind: "event", name: "approved", outcome: "open" },
      ],
      waits: [{ kind: "event", name: "approved" }],
    });

    await handle.raise(approved, true);
    await env.finish(handle);
    expect(await admin.timeline("i", 1)).toMatchObject({ status: "Completed", output: "5", waits: [] });
  });

  scenario("of an unknown instance or execution is refused", async (start) => {
    const env = await start({ orchestrations: [checkout], activities: [flaky()] });
    const { admin } = env.client;
    await expect(admin.timeline("nobody")).rejects.toMatchObject({ code: "instance-not-found" });
    await expect(admin.timeline("nobody", 1)).rejects.toMatchObject({ code: "instance-not-found" });
  });
});
