/** Queries that the gateway refuses across partitions, and serves for one of them. */
import { inGroup } from "../check.ts";
import { fieldsOf, textOf } from "../client/reply.ts";
import { expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { planOf } from "../given/query-plan.ts";
import { thirty } from "../given/seed.ts";
import type { Target } from "../target.ts";

/** Refused with a plan. */
const NEEDS_PLAN: readonly string[] = [
  "SELECT VALUE COUNT(1) FROM c",
  "SELECT VALUE SUM(c.n) FROM c",
  "SELECT TOP 3 c.id FROM c",
  "SELECT c.id FROM c ORDER BY c.n",
  "SELECT c.id FROM c OFFSET 1 LIMIT 2",
  "SELECT DISTINCT VALUE c.grp FROM c",
];

/** Refused with a plan too; inside a partition it needs a composite index, which the container has not. */
const BY_TWO = "SELECT c.id FROM c ORDER BY c.n, c.id";

/** Refused with words only. */
const VALUE_ONLY: readonly string[] = [
  "SELECT COUNT(1) AS n FROM c",
  "SELECT COUNT(1), MIN(c.n) FROM c",
  "SELECT c.grp, COUNT(1) AS n, AVG(c.n) AS a FROM c GROUP BY c.grp",
  "SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk",
];

export const CROSS_PARTITION = inGroup("cross-partition queries", [
  ...[...NEEDS_PLAN, BY_TWO].map((query) => ({
    name: `${query} is 400/1004 with its plan`,
    evidence: ["1.8 refused", "2.1 400/1004", "1.8 plan", "6 query"] as const,
    async run(target: Target) {
      const items = await thirty(target);
      const reply = expectStatus(await items.query(query), 400, 1004);
      expectMatch(
        textOf(reply.fields["message"]),
        /can not be directly served by the gateway/,
        "the message",
      );
      const plan = fieldsOf(JSON.parse(textOf(reply.fields["additionalErrorInfo"])));
      expectEqual(plan, await planOf(target, query), "the plan in the refusal and on request");
    },
  })),
  ...VALUE_ONLY.map((query) => ({
    name: `${query} is 400 without plan`,
    evidence: ["1.8 refused aggregates", "6 query"] as const,
    async run(target: Target) {
      const items = await thirty(target);
      const reply = expectStatus(await items.query(query), 400, 0);
      expectMatch(
        textOf(reply.fields["message"]),
        /only supports 'VALUE <AggregateFunc>' for aggregates/,
        "the message",
      );
    },
  })),
  {
    name: "with a partition key all of them are served",
    evidence: ["1.8 refused", "6 query"],
    async run(target) {
      const items = await thirty(target);
      for (const query of [...NEEDS_PLAN, ...VALUE_ONLY])
        expectStatus(await items.query(query, { key: ["p1"] }), 200);
      const ask = async (query: string) => expectStatus(await items.query(query, { key: ["p1"] }), 200).list;
      expectEqual(await ask("SELECT VALUE COUNT(1) FROM c"), [3], "the count");
      expectEqual(await ask("SELECT VALUE AVG(c.n) FROM c"), [11], "the average");
      expectEqual(
        await ask("SELECT MIN(c.n) AS a, MAX(c.n) AS b, SUM(c.n) AS d FROM c"),
        [{ a: 1, b: 21, d: 33 }],
        "the others",
      );
      expectEqual(
        await ask("SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 1 LIMIT 1"),
        [11],
        "the second largest",
      );
    },
  },
  {
    name: "with the header of a range it is served for the range, and the header repeated",
    evidence: ["recorded: range header", "1.8 refused"],
    async run(target) {
      const items = await thirty(target);
      let count = 0;
      for (const rangeId of await items.rangeIds()) {
        const headers = { "x-ms-documentdb-partitionkeyrangeid": rangeId };
        const reply = expectStatus(await items.query("SELECT VALUE COUNT(1) FROM c", { headers }), 200);
        expectEqual(reply.header("x-ms-documentdb-partitionkeyrangeid"), rangeId, "the header");
        count += Number(reply.list[0]);
      }
      expectEqual(count, 30, "the sum of the ranges");
    },
  },
]);
