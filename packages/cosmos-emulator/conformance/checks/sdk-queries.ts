/** Queries of the SDK across partitions: whichever way the endpoint answers, the result must be right. */
import type { FeedOptions } from "@azure/cosmos";
import { inGroup } from "../check.ts";
import { expectEqual } from "../expect.ts";
import { thirty } from "../given/seed.ts";
import type { Target } from "../target.ts";

const sorted = (values: readonly unknown[]): readonly unknown[] =>
  [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const asIs = (values: readonly unknown[]): readonly unknown[] => values;

interface Case {
  readonly name: string;
  readonly query: string;
  readonly expected: readonly unknown[];
  /** Brings the result into an order where the query has none. */
  arrange(values: readonly unknown[]): readonly unknown[];
}

const FROM_0_TO_29 = Array.from({ length: 30 }, (_, n) => n);

const CASES: readonly Case[] = [
  {
    name: "ORDER BY",
    query: "SELECT VALUE c.n FROM c ORDER BY c.n DESC",
    expected: [...FROM_0_TO_29].reverse(),
    arrange: asIs,
  },
  {
    name: "ORDER BY with a filter",
    query: "SELECT VALUE c.n FROM c WHERE c.even ORDER BY c.n",
    expected: FROM_0_TO_29.filter((n) => n % 2 === 0),
    arrange: asIs,
  },
  { name: "TOP", query: "SELECT TOP 4 VALUE c.n FROM c ORDER BY c.n", expected: [0, 1, 2, 3], arrange: asIs },
  {
    name: "OFFSET LIMIT",
    query: "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3",
    expected: [5, 6, 7],
    arrange: asIs,
  },
  {
    name: "DISTINCT",
    query: "SELECT DISTINCT VALUE c.grp FROM c",
    expected: ["g0", "g1", "g2"],
    arrange: sorted,
  },
  {
    name: "DISTINCT in order",
    query: "SELECT DISTINCT VALUE c.grp FROM c ORDER BY c.grp",
    expected: ["g0", "g1", "g2"],
    arrange: asIs,
  },
  { name: "COUNT", query: "SELECT VALUE COUNT(1) FROM c", expected: [30], arrange: asIs },
  { name: "SUM", query: "SELECT VALUE SUM(c.n) FROM c", expected: [435], arrange: asIs },
  { name: "MIN", query: "SELECT VALUE MIN(c.n) FROM c", expected: [0], arrange: asIs },
  { name: "MAX", query: "SELECT VALUE MAX(c.n) FROM c", expected: [29], arrange: asIs },
  { name: "AVG", query: "SELECT VALUE AVG(c.n) FROM c", expected: [14.5], arrange: asIs },
  {
    name: "GROUP BY",
    query: "SELECT c.grp, COUNT(1) AS n FROM c GROUP BY c.grp",
    expected: [
      { grp: "g0", n: 10 },
      { grp: "g1", n: 10 },
      { grp: "g2", n: 10 },
    ],
    arrange: sorted,
  },
];

async function ask(target: Target, query: string, options: FeedOptions = {}): Promise<readonly unknown[]> {
  const container = await target.sdkContainer(await thirty(target));
  return (await container.items.query(query, options).fetchAll()).resources;
}

export const SDK_QUERIES = inGroup("SDK queries", [
  ...CASES.map(({ name, query, expected, arrange }) => ({
    name: `${name} across partitions`,
    evidence: ["1.8 sdk flow", "6 query"] as const,
    async run(target: Target) {
      expectEqual(arrange(await ask(target, query)), expected, query);
    },
  })),
  ...CASES.map(({ name, query, expected, arrange }) => ({
    name: `${name} through the pipeline of the SDK`,
    evidence: ["1.8 sdk pipeline"] as const,
    async run(target: Target) {
      expectEqual(arrange(await ask(target, query, { forceQueryPlan: true })), expected, query);
    },
  })),
  {
    name: "small pages lead through the whole of an ordered result",
    evidence: ["1.8 sdk flow", "1.8 continuation"],
    async run(target) {
      const container = await target.sdkContainer(await thirty(target));
      const iterator = container.items.query("SELECT VALUE c.n FROM c ORDER BY c.n", { maxItemCount: 4 });
      const found: unknown[] = [];
      while (iterator.hasMoreResults()) found.push(...((await iterator.fetchNext()).resources ?? []));
      expectEqual(found, FROM_0_TO_29, "the items");
    },
  },
  {
    name: "an unordered query goes on from its continuation token",
    evidence: ["1.8 continuation", "6 query"],
    async run(target) {
      const container = await target.sdkContainer(await thirty(target));
      const found: unknown[] = [];
      let continuationToken: string | undefined;
      do {
        const options = { maxItemCount: 7, ...(continuationToken !== undefined && { continuationToken }) };
        const page = await container.items.query("SELECT VALUE c.n FROM c", options).fetchNext();
        found.push(...page.resources);
        continuationToken = page.continuationToken;
      } while (continuationToken !== undefined);
      expectEqual(
        found.sort((a, b) => Number(a) - Number(b)),
        FROM_0_TO_29,
        "the items",
      );
    },
  },
  {
    name: "readAll reads everything",
    evidence: ["1.5 read all"],
    async run(target) {
      const container = await target.sdkContainer(await thirty(target));
      const { resources } = await container.items.readAll({ maxItemCount: 8 }).fetchAll();
      expectEqual(resources.length, 30, "the items");
    },
  },
]);
