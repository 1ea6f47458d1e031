import { testRule } from "./support/eslint.ts";

testRule("no-environment", {
  valid: [
    `const region = process.env.REGION;\norchestration("o", async (ctx) => region);`,
    `activity("a", async () => process.env.REGION);`,
    `orchestration("o", async (ctx, process: { env: string }) => process.env);`,
    `import { EOL } from "node:os";\nimport { orchestration } from "@duroxide-ts/core";\norchestration("o", async () => EOL);`,
  ],
  invalid: [
    {
      code: `orchestration("o", async () => [process.env.REGION, process.env["B"], process.cwd(), process.memoryUsage().rss, import.meta.env.MODE]);`,
      errors: [
        { message: /^process\.env in orchestration code differs between processes/ },
        { messageId: "differs" },
        { messageId: "differs" },
        { messageId: "differs" },
        { messageId: "differs" },
      ],
    },
    {
      code: `import { hostname } from "node:os";\nimport { env } from "node:process";\nimport { orchestration } from "@duroxide-ts/core";\norchestration("o", async () => hostname() + env.A);`,
      errors: [{ messageId: "differs" }, { messageId: "differs" }],
    },
  ],
});
