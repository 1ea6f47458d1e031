/** Query plans, and what each range answers to the rewritten query of a plan. */
import { inGroup } from "../check.ts";
import { type Fields, fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { infoOf, planOf } from "../given/query-plan.ts";
import { thirty } from "../given/seed.ts";
import type { RowId } from "../rows.ts";
import type { Target } from "../target.ts";

/** Returns the answers of each range to the rewritten query of a plan, as the SDK sends it for the first page. */
async function rowsOfRewritten(target: Target, query: string): Promise<readonly unknown[]> {
  const items = await thirty(target);
  const rewritten = textOf((await infoOf(target, query))["rewrittenQuery"]);
  const first = (rewritten === "" ? query : rewritten).replace(
    "{documentdb-formattableorderbyquery-filter}",
    "true",
  );
  const rows: unknown[] = [];
  for (const rangeId of await items.rangeIds()) {
    const pages = await items.pages(first, { headers: { "x-ms-documentdb-partitionkeyrangeid": rangeId } });
    rows.push(...pages.flatMap((page) => page.list));
  }
  return rows;
}

/** The service may break a rewritten query into lines. */
const oneLine = (value: unknown): unknown => (typeof value === "string" ? value.replace(/\s+/g, " ") : value);

/** Members of the plans of queries; plans have others too. */
const PLANS: readonly (readonly [query: string, info: Fields])[] = [
  [
    "SELECT VALUE COUNT(1) FROM c",
    {
      aggregates: ["Count"],
      hasSelectValue: true,
      rewrittenQuery: 'SELECT VALUE [{"item": COUNT(1)}] FROM c',
    },
  ],
  [
    "SELECT c.id, c.n FROM c ORDER BY c.n",
    { orderBy: ["Ascending"], orderByExpressions: ["c.n"], distinctType: "None" },
  ],
  [
    "SELECT c.id FROM c ORDER BY c.n DESC, c.id",
    { orderBy: ["Descending", "Ascending"], orderByExpressions: ["c.n", "c.id"] },
  ],
  ["SELECT TOP 3 c.id FROM c", { top: 3, rewrittenQuery: "" }],
  ["SELECT DISTINCT VALUE c.grp FROM c", { distinctType: "Unordered", rewrittenQuery: "" }],
  [
    "SELECT c.id FROM c",
    { distinctType: "None", orderBy: [], aggregates: [], groupByExpressions: [], rewrittenQuery: "" },
  ],
  ["SELECT c.id FROM c ORDER BY c.n OFFSET 1 LIMIT 2", { offset: 1, limit: 2, orderBy: ["Ascending"] }],
  [
    "SELECT c.grp, COUNT(1) AS n FROM c GROUP BY c.grp",
    {
      groupByExpressions: ["c.grp"],
      groupByAliases: ["grp", "n"],
      groupByAliasToAggregateType: { grp: null, n: "Count" },
    },
  ],
];

/** A query, and what its rows look like in each range. */
interface Shape {
  readonly kind: string;
  readonly query: string;
  readonly evidence: RowId;
  isRow(row: unknown): boolean;
}

const hasMembers = (row: unknown, ...members: readonly string[]): boolean =>
  typeof row === "object" && row !== null && members.every((member) => member in row);
const itemOf = (row: unknown): unknown => (Array.isArray(row) && row.length === 1 ? row[0] : undefined);

const SHAPES: readonly Shape[] = [
  {
    kind: "ORDER BY",
    query: "SELECT c.id FROM c ORDER BY c.n",
    evidence: "1.8 rewritten order",
    isRow: (row) =>
      hasMembers(row, "_rid", "orderByItems", "payload") &&
      hasMembers(itemOf(fieldsOf(row)["orderByItems"]), "item"),
  },
  {
    kind: "COUNT",
    query: "SELECT VALUE COUNT(1) FROM c",
    evidence: "1.8 rewritten count",
    isRow: (row) => typeof fieldsOf(itemOf(row))["item"] === "number",
  },
  {
    kind: "SUM",
    query: "SELECT VALUE SUM(c.n) FROM c",
    evidence: "1.8 rewritten count",
    isRow: (row) => typeof fieldsOf(itemOf(row))["item"] === "number",
  },
  {
    kind: "MIN",
    query: "SELECT VALUE MIN(c.n) FROM c",
    evidence: "1.8 rewritten extremes",
    isRow: (row) =>
      hasMembers(itemOf(row), "item", "item2") && hasMembers(fieldsOf(itemOf(row))["item2"], "min", "count"),
  },
  {
    kind: "MAX",
    query: "SELECT VALUE MAX(c.n) FROM c",
    evidence: "1.8 rewritten extremes",
    isRow: (row) =>
      hasMembers(itemOf(row), "item", "item2") && hasMembers(fieldsOf(itemOf(row))["item2"], "max", "count"),
  },
  {
    kind: "AVG",
    query: "SELECT VALUE AVG(c.n) FROM c",
    evidence: "1.8 rewritten average",
    isRow: (row) => hasMembers(fieldsOf(itemOf(row))["item"], "sum", "count"),
  },
  {
    kind: "an aggregate without VALUE",
    query: "SELECT COUNT(1) AS n FROM c",
    evidence: "1.8 rewritten aggregate",
    isRow: (row) => hasMembers(row, "payload") && hasMembers(fieldsOf(fieldsOf(row)["payload"])["n"], "item"),
  },
  {
    kind: "GROUP BY",
    query: "SELECT c.grp, COUNT(1) AS n FROM c GROUP BY c.grp",
    evidence: "1.8 rewritten groups",
    isRow: (row) =>
      hasMembers(row, "groupByItems", "payload") && hasMembers(itemOf(fieldsOf(row)["groupByItems"]), "item"),
  },
  {
    kind: "DISTINCT",
    query: "SELECT DISTINCT VALUE c.grp FROM c",
    evidence: "1.8 rewritten distinct",
    isRow: (row) => typeof row === "string",
  },
  {
    kind: "TOP",
    query: "SELECT TOP 2 VALUE c.id FROM c",
    evidence: "1.8 rewritten top",
    isRow: (row) => typeof row === "string",
  },
];

export const QUERY_PLANS = inGroup("query plans", [
  ...PLANS.map(([query, info]) => ({
    name: `the plan of ${query}`,
    evidence: ["1.8 plan", "recorded: plans"] as const,
    async run(target: Target) {
      const found = await infoOf(target, query);
      for (const [member, value] of Object.entries(info)) expectEqual(oneLine(found[member]), value, member);
    },
  })),
  {
    name: "a plan has all its members",
    evidence: ["1.8 plan"],
    async run(target) {
      const plan = await planOf(target, "SELECT c.id FROM c ORDER BY c.n");
      const info = fieldsOf(plan["queryInfo"]);
      const members = [
        "distinctType",
        "orderBy",
        "orderByExpressions",
        "groupByExpressions",
        "groupByAliases",
        "aggregates",
        "groupByAliasToAggregateType",
        "rewrittenQuery",
        "hasSelectValue",
        "dCountInfo",
        "hasNonStreamingOrderBy",
      ];
      expectEqual(
        members.filter((member) => !(member in info)),
        [],
        "missing members",
      );
      expectMatch(
        textOf(info["rewrittenQuery"]),
        /\{documentdb-formattableorderbyquery-filter\}/,
        "the rewritten query",
      );
      expectEqual(
        plan["queryRanges"],
        [{ min: "", max: "FF", isMinInclusive: true, isMaxInclusive: false }],
        "the ranges",
      );
    },
  },
  {
    name: "parameters are bound in a plan",
    evidence: ["recorded: plans", "recorded: parameters"],
    async run(target) {
      const info = await infoOf(target, "SELECT TOP @n c.id FROM c", [{ name: "@n", value: 2 }]);
      expectEqual(info["top"], 2, "top");
    },
  },
  {
    name: "TOP stays in the rewritten query of an ordered one",
    evidence: ["recorded: plans", "1.8 rewritten top"],
    async run(target) {
      const info = await infoOf(target, "SELECT TOP 2 c.id FROM c ORDER BY c.n");
      expectMatch(textOf(info["rewrittenQuery"]), /TOP 2/, "the rewritten query");
      expectEqual(info["top"], 2, "top");
    },
  },
  {
    name: "OFFSET and LIMIT become OFFSET 0 and their sum",
    evidence: ["1.8 rewritten offset"],
    async run(target) {
      const info = await infoOf(target, "SELECT c.id FROM c OFFSET 2 LIMIT 3");
      expectMatch(textOf(info["rewrittenQuery"]), /OFFSET 0 LIMIT 5/, "the rewritten query");
    },
  },
  {
    name: "the plan of a query of one partition key names its point",
    evidence: ["1.8 plan ranges"],
    async run(target) {
      const [range, ...others] = (await planOf(target, "SELECT c.id FROM c WHERE c.pk = 'p1' ORDER BY c.n"))[
        "queryRanges"
      ] as Fields[];
      expectEqual(
        [others, range?.["isMinInclusive"], range?.["isMaxInclusive"]],
        [[], true, true],
        "one closed range",
      );
      expect(
        range?.["min"] === range?.["max"] && range?.["min"] !== "",
        `the range is ${JSON.stringify(range)}`,
      );
    },
  },
  {
    name: "a plan for a client without the feature is 400",
    evidence: ["recorded: plans"],
    async run(target) {
      const items = await thirty(target);
      const headers = { "x-ms-cosmos-is-query-plan-request": "True" };
      const reply = expectStatus(await items.query("SELECT VALUE COUNT(1) FROM c", { headers }), 400);
      expectMatch(textOf(reply.fields["message"]), /unsupported features/i, "the message");
    },
  },
  ...SHAPES.map(({ kind, query, evidence, isRow }) => ({
    name: `each range answers the rewritten query of ${kind} in the shape that the SDK merges`,
    evidence: [evidence],
    async run(target: Target) {
      const rows = await rowsOfRewritten(target, query);
      expect(rows.length > 0 && rows.every(isRow), `the rows are ${JSON.stringify(rows).slice(0, 200)}`);
    },
  })),
]);
