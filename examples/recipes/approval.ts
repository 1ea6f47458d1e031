/** docs/recipes/approval.md */
import { deepEqual, equal } from "node:assert/strict";
import { event, orchestration } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";

const sent: string[] = [];
const mail = { send: async (to: string, text: string) => sent.push(`${to}: ${text}`) };
const accounts = { pay: async (cents: number, _key: string) => `paid ${cents}` };

// #region approval
interface Decision {
  readonly by: string;
  readonly approved: boolean;
  readonly comment?: string;
}

const decided = event<Decision>("decided", { keep: true });

const expense = orchestration("expense", async (ctx, { cents, lead }: { cents: number; lead: string }) => {
  const link = `https://intranet.example/expenses/${encodeURIComponent(ctx.instanceId)}`;
  const decision = ctx.waitForEvent(decided); // one wait, an entry of several races
  for (const [day, to] of [lead, lead, "finance"].entries()) {
    ctx.setCustomStatus(`waiting for ${to}, day ${day + 1}`);
    await ctx.run("ask", () => mail.send(to, `please decide: ${link}`));
    const winner = await ctx.race([decision, ctx.scheduleTimer({ days: 1 })], { keep: true });
    if (winner.index === 1) continue;
    const { by, approved, comment = "no reason given" } = winner.value;
    if (!approved) return `refused by ${by}: ${comment}`;
    return ctx.run("pay", (step) => accounts.pay(cents, step.callKey));
  }
  return "nobody decided";
});
// #endregion

await using env = await TestEnvironment.create({ orchestrations: [expense] });
const { client } = env;
const run = await env.start(expense, { instanceId: "expense-7", input: { cents: 990, lead: "ada" } });
await env.advance({ days: 2 });
const waiting = await run.status();
equal("customStatus" in waiting && waiting.customStatus, "waiting for finance, day 3");

// #region decide
/** Sends the decision, for the page behind the link. The number of the form makes a second click harmless. */
async function decide(id: string, decision: Decision, form: string): Promise<void> {
  await client.handle(expense, id).raise(decided, decision, { messageId: form });
}
// #endregion
await decide("expense-7", { by: "grace", approved: true }, "form-1");
await env.settle();
equal(await run.result(), "paid 990");
deepEqual(
  sent.map((text) => text.split(":")[0]),
  ["ada", "ada", "finance"],
);

const late = await env.start(expense, { input: { cents: 1, lead: "ada" } });
equal(await late.runToEnd(), "nobody decided");
const refused = await env.start(expense, { instanceId: "expense-8", input: { cents: 1, lead: "ada" } });
await decide("expense-8", { by: "ada", approved: false }, "form-2");
equal(await refused.runToEnd(), "refused by ada: no reason given");
