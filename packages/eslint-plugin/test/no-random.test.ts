import { testRule } from "./support/eslint.ts";

testRule("no-random", {
  valid: [
    `orchestration("o", async (ctx) => [ctx.random(), await ctx.newGuid(), Math.max(1, 2)]);`,
    `activity("a", async () => crypto.randomUUID());`,
    `import { createHash } from "node:crypto";\nimport { orchestration } from "@duroxide-ts/core";\norchestration("o", async () => createHash("sha256").update("x").digest("hex"));`,
    `import { v5 } from "uuid";\nimport { orchestration } from "@duroxide-ts/core";\norchestration("o", async (ctx, name: string) => v5(name, "ns"));`,
  ],
  invalid: [
    {
      code: `orchestration("o", async (ctx) => Math.random() < 0.5);`,
      output: `orchestration("o", async (ctx) => ctx.random() < 0.5);`,
      errors: [{ messageId: "differs" }],
    },
    {
      name: "an id is a recorded call, so it is proposed and not put in place",
      code: `orchestration("o", async (ctx) => { const id = crypto.randomUUID(); return id; });`,
      errors: [
        {
          messageId: "differs",
          suggestions: [
            {
              messageId: "replace",
              data: { text: "await ctx.newGuid()" },
              output: `import { activity, orchestration, event, queue, type OrchestrationContext } from "@duroxide-ts/core";\norchestration("o", async (ctx) => { const id = await ctx.newGuid(); return id; });`,
            },
          ],
        },
      ],
    },
    {
      name: "no id is proposed where the code cannot wait",
      code: `orchestration("o", async (ctx, all: string[]) => all.map(() => crypto.randomUUID()));`,
      errors: [{ messageId: "differs" }],
    },
    {
      name: "imports, of which the guard of the runtime knows nothing",
      code: `import crypto, { randomUUID } from "node:crypto";\nimport { nanoid } from "nanoid";\nimport { orchestration } from "@duroxide-ts/core";\norchestration("o", async () => [randomUUID(), crypto.randomBytes(3), nanoid()]);`,
      errors: [{ messageId: "differs" }, { messageId: "differs" }, { messageId: "differs" }],
    },
  ],
});
