import { testRule } from "./support/eslint.ts";

testRule("no-floating-calls", {
  valid: [
    `orchestration("o", async (ctx) => { await ctx.scheduleTimer(1); return ctx.scheduleActivity("a"); });`,
    `orchestration("o", async (ctx) => { const task = ctx.scheduleActivity("a"); await ctx.scheduleTimer(1); return task; });`,
    `orchestration("o", async (ctx) => { void ctx.scheduleActivity("a"); });`,
    `orchestration("o", async (ctx) => { ctx.startOrchestration("p", { instanceId: "p" }); ctx.raise("p", "e", 1); ctx.setTags({ a: 1 }); ctx.onCancel(async (c) => { await c.scheduleActivity("b"); }); return ctx.continueAsNew("o"); });`,
    `orchestration("o", function* (ctx) { yield ctx.scheduleTimer(1); });`,
    `orchestration("o", async (ctx) => { const tasks = [1].map((n) => ctx.scheduleActivity("a", n)); await ctx.all(tasks); });`,
    `orchestration("o", async (ctx) => { await remind(ctx); note(ctx); });\nasync function remind(c) { await c.scheduleTimer(1); }\nfunction note(c) { c.log.info("x"); }`,
  ],
  invalid: [
    {
      code: `orchestration("o", async (ctx) => { ctx.scheduleActivity("a"); });`,
      errors: [
        {
          messageId: "floating",
          suggestions: [
            {
              messageId: "add",
              data: { word: "await" },
              output: `import { activity, orchestration, event, queue, type OrchestrationContext } from "@duroxide-ts/core";\norchestration("o", async (ctx) => { await ctx.scheduleActivity("a"); });`,
            },
          ],
        },
      ],
    },
    {
      code: `orchestration("o", async (ctx) => { const task = ctx.run("s", () => 1); ctx.scheduleActivity("a").then(() => 2).catch(() => {}); [1].forEach((n) => ctx.scheduleActivity("a", n)); const saga = ctx.saga(); saga.run("b", () => 1, () => 2); });`,
      errors: [
        { messageId: "floating" },
        { messageId: "floating", suggestions: 1 },
        { messageId: "floating" },
        { messageId: "floating", suggestions: 1 },
      ],
    },
    {
      code: `orchestration("o", async (ctx) => { ctx.continueAsNew("o"); });`,
      errors: [{ messageId: "continues", suggestions: 1 }],
    },
    {
      code: `orchestration("o", function* (ctx) { ctx.scheduleTimer(1); remind(ctx); });\nasync function remind(c) { await c.scheduleTimer(1); }`,
      errors: [
        { messageId: "floating", suggestions: 1 },
        { messageId: "floating", suggestions: 1 },
      ],
    },
  ],
});
