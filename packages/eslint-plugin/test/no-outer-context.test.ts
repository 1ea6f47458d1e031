import { testRule } from "./support/eslint.ts";

testRule("no-outer-context", {
  valid: [
    `orchestration("o", async (ctx) => ctx.map([1], (branch, n) => branch.scheduleActivity("a", n)));`,
    `orchestration("o", async (ctx) => ctx.all([ctx.scheduleActivity("a"), async (ctx) => { await ctx.scheduleTimer(1); }]));`,
    `orchestration("o", async (ctx) => ctx.all([1].map((n) => ctx.scheduleActivity("a", n))));`,
    `orchestration("o", async (ctx) => ctx.map([1], async (branch) => { ctx.log.info(ctx.instanceId); await branch.scheduleTimer(1); }));`,
    `orchestration("o", async (ctx) => ctx.deterministic(async () => ctx.scheduleActivity("a")));`,
    `orchestration("o", async (ctx) => { const other = orchestration("p", async (c) => c.scheduleTimer(1)); await ctx.scheduleSubOrchestration(other); });`,
  ],
  invalid: [
    {
      code: `orchestration("o", async (ctx) => ctx.map([1], (branch, n) => ctx.scheduleActivity("a", n)));`,
      output: `orchestration("o", async (ctx) => ctx.map([1], (branch, n) => branch.scheduleActivity("a", n)));`,
      errors: [{ message: /^ctx is the context of the code around the branch: .* Use branch$/ }],
    },
    {
      code: `orchestration("o", async (ctx) => ctx.race([ctx.scheduleTimer(1), async () => { await ctx.scheduleActivity("a"); }]));`,
      errors: [{ messageId: "outer" }],
    },
    {
      code: `orchestration("o", async (ctx) => ctx.race([ctx.scheduleTimer(1), (branch) => remind(ctx)]));`,
      output: `orchestration("o", async (ctx) => ctx.race([ctx.scheduleTimer(1), (branch) => remind(branch)]));`,
      errors: [{ messageId: "outer" }],
    },
    {
      code: `orchestration("o", async (ctx) => { ctx.onCancel(async () => { await ctx.scheduleActivity("b"); }); ctx.answer("q", async (n, c) => ctx.scheduleActivity("b")); });`,
      output: `orchestration("o", async (ctx) => { ctx.onCancel(async () => { await ctx.scheduleActivity("b"); }); ctx.answer("q", async (n, c) => c.scheduleActivity("b")); });`,
      errors: [{ messageId: "outer" }, { messageId: "outer" }],
    },
    {
      code: `orchestration("o", async (ctx) => ctx.run("s", async () => { await ctx.scheduleActivity("a"); }));`,
      errors: [{ messageId: "step" }],
    },
  ],
});
