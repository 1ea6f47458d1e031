import { testRule } from "./support/eslint.ts";

testRule("no-io", {
  valid: [
    `activity("a", async () => fetch("https://a.example"));`,
    `orchestration("o", async (ctx) => { ctx.log.info("begin"); return ctx.run("s", () => fetch("https://a.example")); });`,
    `import path from "node:path";\nimport { orchestration } from "@duroxide-ts/core";\norchestration("o", async () => path.join("a", "b"));`,
    `import { Client, orchestration } from "@duroxide-ts/core";\nconst client = new Client(store);\nawait client.start(orchestration("o", async (ctx) => 1));`,
    `import { activity } from "@duroxide-ts/core";\nactivity("a", async ({ client }) => client.handle("a", "b").status());`,
  ],
  invalid: [
    {
      code: `orchestration("o", async () => { console.log("x"); await fetch("https://a.example"); new WebSocket("wss://a.example"); });`,
      errors: [
        { message: /^console\.log\(\) in orchestration code is repeated by every replay; use ctx\.log/ },
        { messageId: "differs" },
        { message: /^new WebSocket\(\)/ },
      ],
    },
    {
      code: `import { readFile } from "node:fs/promises";\nimport * as child from "child_process";\nimport fs from "fs";\nimport axios from "axios";\nimport { orchestration } from "@duroxide-ts/core";\norchestration("o", async () => { await readFile("a"); child.execSync("b"); fs.promises.readFile("c"); await axios("d"); axios.get("e"); });`,
      errors: Array.from({ length: 5 }, () => ({ messageId: "differs" })),
    },
    {
      code: `import { Client, orchestration } from "@duroxide-ts/core";\nconst client = new Client(store);\norchestration("o", async () => client.handle("a", "b").status());\nasync function tell(other: Client) { other.start("p"); }\norchestration("p", async () => tell(client));`,
      errors: [{ messageId: "client" }, { messageId: "client" }],
    },
  ],
});
