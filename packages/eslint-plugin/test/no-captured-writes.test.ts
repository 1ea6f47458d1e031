import { testRule } from "./support/eslint.ts";

testRule("no-captured-writes", {
  valid: [
    `orchestration("o", async (ctx) => { let total = 0; total += await ctx.run("load", () => 1); return total; });`,
    `orchestration("o", async (ctx) => ctx.run("load", () => { let n = 0; n += 1; const list = []; list.push(n); return list; }));`,
    `function make() { let calls = 0; return orchestration("o", async (ctx) => ctx.run("s", () => { calls += 1; })); }`,
    `orchestration("o", async (ctx, list: string[]) => ctx.run("s", () => list.map((each) => each.length)));`,
    `orchestration("o", async (ctx) => { let total = 0; await ctx.map([1], async (b, n) => { total += n; }); return total; });`,
    `orchestration("o", async (ctx) => { const step = () => { let n = 0; n += 1; return n; }; await ctx.run("s", step); });`,
  ],
  invalid: [
    {
      name: "steps that stand before their call",
      code: `orchestration("o", async (ctx) => { let n = 0; const step = () => { n += 1; }; await ctx.run("s", step); return n; });`,
      errors: [{ messageId: "written" }],
    },
    {
      code: `orchestration("o", async (ctx) => { let total = 0; await ctx.run("load", async () => { total += await load(); }); return total; });`,
      errors: [{ messageId: "written" }],
    },
    {
      code: `orchestration("o", async (ctx, order: { paid: boolean }) => { const done = []; const saga = ctx.saga(); await saga.run("a", () => { order.paid = true; }, () => { done.push(1); }); });`,
      errors: [{ messageId: "written" }, { messageId: "written" }],
    },
    {
      name: "steps of functions that orchestration code calls",
      code: `async function pay(c: OrchestrationContext) { let n = 0; await c.run("s", () => { n++; }); return n; }`,
      errors: [{ messageId: "written" }],
    },
  ],
});
