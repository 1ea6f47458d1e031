import { testRule } from "./support/eslint.ts";

testRule("no-unstorable-values", {
  valid: [
    `activity("a", async (ctx, order: { id: string; lines: readonly string[]; at?: number | null }) => new Map());`,
    `activity("a", { input: schema }, async (ctx, at: Date) => at.getTime());`,
    `const approved = event<{ at: Date }>("approved");`,
    `function plain(map: Map<string, Date>) { return map; }`,
    `interface Node { children: Node[] }\nactivity("a", async (ctx, root: Node) => root.children.length);`,
    `interface Map { a: string }\nactivity("a", async (ctx, map: Map) => map.a);`,
    `orchestration("o", async (ctx) => ctx.scheduleActivity("a", [...new Set([1])]));`,
  ],
  invalid: [
    {
      code: `activity("a", async (ctx, order: { at: Date; by: Map<string, number> }) => 1);`,
      errors: [{ messageId: "date" }, { message: /^Map<string, number> is not carried by JSON/ }],
    },
    {
      code: `interface Order { lines: Set<string>; total: bigint }\norchestration("o", async (ctx, { total }: Readonly<Order>) => 1);`,
      errors: [{ messageId: "lost" }, { messageId: "lost" }],
    },
    {
      code: `queue<Uint8Array>("chunks");`,
      errors: [{ messageId: "lost" }],
    },
    {
      code: `orchestration("o", async (ctx) => { await ctx.scheduleActivity("a", { ids: new Set([1]), n: 1n, f: () => 1 }); ctx.raise("p", "e", new Map()); });`,
      errors: Array.from({ length: 4 }, () => ({ messageId: "value" })),
    },
  ],
});
