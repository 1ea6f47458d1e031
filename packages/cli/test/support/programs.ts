/** The orchestrations that the tests of the command read. */
import {
  type AnyActivity,
  type AnyOrchestration,
  activity,
  event,
  orchestration,
  type StandardSchema,
} from "@duroxide-ts/core";

export const HOSTILE = 'card \u001b[31mdeclined\u202e\n"now" \u009b2J';

const charge = activity("charge", async (_ctx, cents: number) => {
  if (cents > 1_000) throw new Error(HOSTILE);
  return { receipt: `r-${cents}` };
});

const pack = orchestration("pack", async (ctx) => {
  await ctx.waitForEvent(event("packed"));
});

const checkout = orchestration("checkout", async (ctx, cents: number) => {
  ctx.setCustomStatus({ step: "charging" });
  ctx.kv.set("total", cents);
  const retry = { maxAttempts: 2, backoff: { kind: "none" } } as const;
  const paid = await ctx.scheduleActivity(charge, cents, { retry });
  ctx.setCustomStatus({ step: "waiting" });
  await ctx.race([
    ctx.waitForEvent(event("approved")),
    ctx.scheduleTimer({ days: 30 }, { label: "last day" }),
  ]);
  return paid;
});

const patient = orchestration("patient", async (ctx) => {
  const backoff = { kind: "fixed", delay: { days: 1 } } as const;
  await ctx.scheduleActivity(charge, 2_000, { label: "deposit", retry: { maxAttempts: 5, backoff } });
});

const parent = orchestration("parent", async (ctx) => {
  await ctx.scheduleSubOrchestration(pack, undefined, { instanceId: `${ctx.instanceId}-pack` });
});

/** Its clean-up waits. */
const rental = orchestration("rental", async (ctx) => {
  ctx.onCancel((cleanUp) => cleanUp.waitForEvent(event("returned")), { timeout: { days: 1 } });
  await ctx.waitForEvent(event("over"));
});

const reader = orchestration("reader", async (ctx) => ctx.dequeue("lines"));

/** Its events come with its start. */
const early = orchestration("early", async (ctx) => {
  const go = event("go", { keep: true });
  return [await ctx.waitForEvent(go), await ctx.waitForEvent(go)];
});

const payment: StandardSchema<{ cents: number }> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => {
      const { cents } = value as { readonly cents: unknown };
      if (typeof cents === "number") return { value: { cents } };
      return { issues: [{ path: ["cents"], message: "expected a number" }] };
    },
  },
};

/** Waits for an event that has to fit. */
const picky = orchestration("picky", async (ctx) => {
  return (await ctx.waitForEvent(event("paid", { schema: payment }))).cents;
});

export const ORCHESTRATIONS: readonly AnyOrchestration[] = [
  checkout,
  patient,
  parent,
  pack,
  rental,
  reader,
  early,
  picky,
];
export const ACTIVITIES: readonly AnyActivity[] = [charge];
