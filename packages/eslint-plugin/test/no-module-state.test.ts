import { testRule } from "./support/eslint.ts";

testRule("no-module-state", {
  valid: [
    `const LIMITS = { gold: 3 };\norchestration("o", async (ctx) => LIMITS.gold);`,
    `const known = new Map();\nknown.set("a", 1);\norchestration("o", async () => known.get("a"));`,
    `let calls = 0;\norchestration("o", async (ctx) => ctx.run("s", () => { calls += 1; }));`,
    `let client;\nclient = connect();\norchestration("o", async () => client.name);`,
    `orchestration("o", async (ctx) => { let sum = 0; const list = []; sum += 1; list.push(sum); return list; });`,
    `const seen = [];\nactivity("a", async () => { seen.push(1); });\norchestration("o", async (ctx) => 1);`,
  ],
  invalid: [
    {
      code: `let runs = 0;\norchestration("o", async () => { runs += 1; return runs; });`,
      errors: [{ messageId: "written" }, { messageId: "read" }],
    },
    {
      code: `const seen = [];\nconst byId = new Map();\nconst totals = {};\norchestration("o", async () => { seen.push(1); byId.set(1, 2); totals.a = 1; delete totals.b; totals.list.push(1); });`,
      errors: Array.from({ length: 5 }, () => ({ messageId: "written" })),
    },
    {
      code: `let config = 1;\nexport function reload(value) { config = value; }\nconst cache = new Map();\nactivity("a", async () => cache.set(1, 2));\norchestration("o", async () => [config, cache.get(1)]);`,
      errors: [{ messageId: "read" }, { messageId: "read" }],
    },
    {
      code: `import { orchestration } from "@duroxide-ts/core";\nimport { settings } from "./settings.js";\norchestration("o", async () => { settings.region = "eu"; });`,
      errors: [{ messageId: "written" }],
    },
  ],
});
