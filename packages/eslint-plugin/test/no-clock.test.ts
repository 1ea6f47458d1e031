import { testRule } from "./support/eslint.ts";

testRule("no-clock", {
  valid: [
    `orchestration("o", async (ctx) => new Date(ctx.now()));`,
    `activity("a", async () => Date.now());`,
    `const atStart = Date.now();\norchestration("o", async (ctx) => ctx.now());`,
    `orchestration("o", async (ctx) => ctx.run("s", () => Date.now()));`,
    `orchestration("o", async (ctx) => { const saga = ctx.saga(); await saga.run("s", () => Date.now(), () => setTimeout(() => {}, 1)); });`,
    `orchestration("o", async (ctx) => { await ctx.saga().schedule("a", 1, { undo: () => 1 }); });`,
    `orchestration("o", async (ctx) => ctx.deterministic(() => Date.now() + performance.now()));`,
    `orchestration("o", async (ctx, Date: { now(): number }) => Date.now());`,
    `import { orchestration } from "elsewhere";\nimport "@duroxide-ts/core";\norchestration("o", async () => Date.now());`,
    `orchestration("o", async (ctx) => { const a = activity("a", async () => Date.now()); await ctx.scheduleActivity(a); });`,
    `orchestration("o", async (ctx) => { const step = async () => Date.now(); return ctx.run("s", step); });
orchestration("p", async (ctx) => ctx.run("s", work));
const work = () => Date.now();`,
    // The handler of an activity is none of an orchestration that calls it by mistake, wherever it stands.
    `orchestration("o", async (ctx) => { await ctx.scheduleActivity(charge, 1); work(); });
function work() { return at(); }
function at() { return Date.now(); }
const charge = activity("charge", work);`,
    `import { type ActivityContext, orchestration } from "@duroxide-ts/core";
const work = (step: ActivityContext) => Date.now();
orchestration("o", async (ctx) => work(ctx as never));`,
  ],
  invalid: [
    {
      code: `orchestration("o", async (ctx) => Date.now());`,
      output: `orchestration("o", async (ctx) => ctx.now());`,
      errors: [{ message: /^Date\.now\(\) in orchestration code differs at every replay; use ctx\.now\(\)/ }],
    },
    {
      code: `orchestration("o", async (c) => ({ at: new Date() }));`,
      output: `orchestration("o", async (c) => ({ at: new Date(c.now()) }));`,
      errors: [{ messageId: "differs" }],
    },
    {
      name: "the nearest context is used",
      code: `orchestration("o", async (ctx) => ctx.map([1], async (branch) => Date.now()));`,
      output: `orchestration("o", async (ctx) => ctx.map([1], async (branch) => branch.now()));`,
      errors: [{ messageId: "differs" }],
    },
    {
      name: "a hidden context gives no fix",
      code: `orchestration("o", async (ctx) => [1].map((ctx) => Date.now()));`,
      errors: [{ messageId: "differs" }],
    },
    {
      name: "a code that names no context gives no fix",
      code: `orchestration("o", async () => Date.now());`,
      errors: [{ messageId: "differs" }],
    },
    {
      name: "functions that orchestration code calls",
      code: `orchestration("o", async (ctx) => stamp(ctx));\nconst stamp = (c) => helper() + c.now();\nfunction helper() { return Date.now(); }`,
      errors: [{ messageId: "differs", line: 4 }],
    },
    {
      name: "functions whose parameter is a context",
      code: `export async function wait(times: number, c: OrchestrationContext<string>) { setTimeout(() => {}, times); return Date.now(); }`,
      output: `export async function wait(times: number, c: OrchestrationContext<string>) { setTimeout(() => {}, times); return c.now(); }`,
      errors: [{ messageId: "beginsAgain" }, { messageId: "differs" }],
    },
    {
      name: "handlers that stand elsewhere, and definitions with options",
      code: `const handler = async (ctx) => performance.now();\norchestration("o", { version: "2.0.0" }, handler);`,
      errors: [{ messageId: "differs", suggestions: 1 }],
    },
    {
      name: "other names and the whole package",
      code: `import * as d from "@duroxide-ts/core";\nimport { setTimeout as pause } from "node:timers/promises";\nd.orchestration("o", function* (ctx) { yield pause(1); process.hrtime.bigint(); globalThis.Date.now(); });`,
      output: `import * as d from "@duroxide-ts/core";\nimport { setTimeout as pause } from "node:timers/promises";\nd.orchestration("o", function* (ctx) { yield pause(1); process.hrtime.bigint(); ctx.now(); });`,
      errors: [
        {
          message:
            /^pause\(\) in orchestration code begins again at every replay; use yield ctx\.scheduleTimer/,
        },
        { messageId: "differs" },
        { messageId: "differs" },
      ],
    },
    {
      name: "CommonJS",
      code: `const { orchestration: define } = require("@duroxide-ts/core");\ndefine("o", async (ctx) => Date.now());`,
      output: `const { orchestration: define } = require("@duroxide-ts/core");\ndefine("o", async (ctx) => ctx.now());`,
      errors: [{ messageId: "differs" }],
    },
    {
      name: "what ctx.deterministic does not answer",
      code: `orchestration("o", async (ctx) => ctx.deterministic(() => setTimeout(() => {}, 1)));`,
      errors: [{ messageId: "beginsAgain" }],
    },
    {
      name: "clean-ups and answers",
      code: `orchestration("o", async (ctx) => { ctx.onCancel(async (c) => { c.log.info(String(Date.now())); }); ctx.answer("q", (input, b) => Date.now()); });`,
      output: `orchestration("o", async (ctx) => { ctx.onCancel(async (c) => { c.log.info(String(c.now())); }); ctx.answer("q", (input, b) => b.now()); });`,
      errors: [{ messageId: "differs" }, { messageId: "differs" }],
    },
  ],
});
