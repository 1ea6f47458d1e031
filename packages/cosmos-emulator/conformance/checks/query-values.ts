/** The value rules of the language: undefined is not null, types do not compare with each other, and order of types. */
import { inGroup } from "../check.ts";
import { expectEqual, expectStatus } from "../expect.ts";
import type { RowId } from "../rows.ts";
import { type Target, unique } from "../target.ts";

/** An item, an expression or query on it, and what comes out. */
interface Case {
  readonly name: string;
  readonly query: string;
  readonly results: readonly unknown[];
  readonly evidence: readonly RowId[];
}

const ITEM = {
  n: 5,
  s: "text",
  t: true,
  nul: null,
  list: [1, "a", null],
  inner: { m: 1, deep: { x: 2 } },
  zero: 0,
};

const CASES: readonly Case[] = [
  {
    name: "a projection keeps the order of the statement and leaves the missing out",
    query: "SELECT c.s, c.n, c.absent, c.nul FROM c",
    results: [{ s: "text", n: 5, nul: null }],
    evidence: ["recorded: projections"],
  },
  {
    name: "VALUE of what is missing gives no row",
    query: "SELECT VALUE c.absent FROM c",
    results: [],
    evidence: ["recorded: projections"],
  },
  {
    name: "a missing member of a new array is null",
    query: "SELECT VALUE [c.n, c.absent] FROM c",
    results: [[5, null]],
    evidence: ["recorded: projections"],
  },
  {
    name: "an expression without name is $1, the next $2",
    query: "SELECT 1 + 1, 'a' FROM c",
    results: [{ $1: 2, $2: "a" }],
    evidence: ["recorded: projections"],
  },
  {
    name: "null equals null, a missing value equals nothing",
    query: "SELECT c.nul = null AS a, c.absent = null AS b, c.absent = c.absent AS d FROM c",
    results: [{ a: true }],
    evidence: ["recorded: projections", "6 query"],
  },
  {
    name: "a missing value passes no comparison",
    query:
      "SELECT VALUE c.n FROM c WHERE c.absent = null OR c.absent <= 5 OR c.absent != 5 OR NOT (c.absent = 5)",
    results: [],
    evidence: ["6 query"],
  },
  {
    name: "IS_DEFINED and IS_NULL tell missing from null",
    query:
      "SELECT IS_DEFINED(c.nul) AS a, IS_DEFINED(c.absent) AS b, IS_NULL(c.nul) AS d, IS_NULL(c.absent) AS e FROM c",
    results: [{ a: true, b: false, d: true, e: false }],
    evidence: ["recorded: parameters", "6 query"],
  },
  {
    name: "NOT IS_DEFINED is not true of null",
    query: "SELECT VALUE c.n FROM c WHERE NOT IS_DEFINED(c.nul)",
    results: [],
    evidence: ["6 query"],
  },
  {
    name: "values of two types are not equal, and neither is less",
    query: "SELECT c.n = '5' AS a, c.n < 'a' AS b, c.t > 0 AS d, c.nul < 1 AS e FROM c",
    results: [{ a: false }],
    evidence: ["6 query"],
  },
  {
    name: "a filter takes only what is true, not what is like it",
    query: "SELECT VALUE c.n FROM c WHERE c.n",
    results: [],
    evidence: ["6 query"],
  },
  {
    name: "AND and OR with a missing side",
    query:
      "SELECT (c.absent = 1 OR c.t) AS a, (c.absent = 1 AND false) AS b, (c.absent = 1 AND c.t) AS d FROM c",
    results: [{ a: true, b: false }],
    evidence: ["6 query"],
  },
  {
    name: "arrays and objects compare by content",
    query: "SELECT c.list = [1, 'a', null] AS a, c.inner = {'deep': {'x': 2}, 'm': 1} AS b FROM c",
    results: [{ a: true, b: true }],
    evidence: ["6 query"],
  },
  {
    name: "?? takes the other side where one is missing",
    query: "SELECT c.absent ?? 'other' AS a, c.nul ?? 'other' AS b FROM c",
    results: [{ a: "other", b: null }],
    evidence: ["6 query"],
  },
  {
    name: "? : decides by true",
    query: "SELECT (c.n > 3 ? 'more' : 'less') AS a FROM c",
    results: [{ a: "more" }],
    evidence: ["6 query"],
  },
  {
    name: "arithmetic with a text is undefined",
    query: "SELECT c.n + c.s AS a, c.n + 1 AS b FROM c",
    results: [{ b: 6 }],
    evidence: ["6 query"],
  },
  {
    name: "|| joins texts",
    query: "SELECT VALUE c.s || '!' FROM c",
    results: ["text!"],
    evidence: ["6 query"],
  },
  {
    name: "a path leads through objects and arrays",
    query: "SELECT c.inner.deep.x AS a, c['inner']['m'] AS b, c.list[1] AS d, c.list[9] AS e FROM c",
    results: [{ a: 2, b: 1, d: "a" }],
    evidence: ["6 query"],
  },
  {
    name: "NOT IN and NOT LIKE",
    query: "SELECT c.n NOT IN (1, 2) AS a, c.s NOT LIKE 'x%' AS b FROM c",
    results: [{ a: true, b: true }],
    evidence: ["recorded: functions"],
  },
  {
    name: "COUNT counts what is defined, SUM of a text is undefined",
    query: "SELECT COUNT(c.absent) AS a, COUNT(1) AS b, SUM(c.s) AS d, SUM(c.n) AS e FROM c",
    results: [{ a: 0, b: 1, e: 5 }],
    evidence: ["6 query"],
  },
];

/** Values from the least to the greatest. */
const BY_TYPE = [null, false, true, -1, 0.5, 7, "", "B", "a", "aa", [], [1], {}, { a: 1 }];

export const QUERY_VALUES = inGroup("query values", [
  ...CASES.map(({ name, query, results, evidence }) => ({
    name,
    evidence,
    async run(target: Target) {
      const { items, pk } = await target.once("values", async () => {
        const shared = await target.items;
        const key = unique("pk");
        expectStatus(await shared.create([key], { id: "a", pk: key, ...ITEM }), 201);
        return { items: shared, pk: key };
      });
      const found = expectStatus(await items.query(query, { key: [pk] }), 200).list;
      expectEqual(JSON.stringify(found), JSON.stringify(results), query);
    },
  })),
  {
    name: "ORDER BY sorts by type: null, false, true, numbers, texts, arrays, objects",
    evidence: ["1.8 type order"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const shuffled = BY_TYPE.map((v, index) => ({ v, index })).sort(
        (a, b) => ((a.index * 7) % 13) - ((b.index * 7) % 13),
      );
      for (const { v, index } of shuffled) await items.create([pk], { id: `i${index}`, pk, v });
      // Among themselves arrays and objects have no documented order.
      const isOrdered = (value: unknown): boolean => typeof value !== "object" || value === null;
      const ask = async (direction: string) =>
        expectStatus(
          await items.query(`SELECT VALUE c.v FROM c ORDER BY c.v ${direction}`, { key: [pk] }),
          200,
        ).list;
      const ascending = await ask("ASC");
      expectEqual(ascending.filter(isOrdered), BY_TYPE.filter(isOrdered), "ascending");
      expectEqual(
        ascending.slice(-4).map((value) => Array.isArray(value)),
        [true, true, false, false],
        "arrays, then objects",
      );
      const descending = (await ask("DESC")).filter(isOrdered);
      expectEqual(descending, BY_TYPE.filter(isOrdered).reverse(), "descending");
    },
  },
  {
    name: "texts sort by code unit, not by a language",
    evidence: ["5.2 query"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      const texts = ["Z", "a", "ä", "B", "_", "10", "9"];
      for (const [index, s] of texts.entries()) await items.create([pk], { id: `i${index}`, pk, s });
      const found = expectStatus(
        await items.query("SELECT VALUE c.s FROM c ORDER BY c.s", { key: [pk] }),
        200,
      ).list;
      expectEqual(found, ["10", "9", "B", "Z", "_", "a", "ä"], "the order");
      const range = await items.query("SELECT VALUE c.s FROM c WHERE c.s >= 'B' AND c.s < 'a'", {
        key: [pk],
      });
      expectEqual([...expectStatus(range, 200).list].sort(), ["B", "Z", "_"], "the range");
    },
  },
  {
    name: "a division by zero is 400/4001",
    evidence: ["2.1 400/4001", "recorded: syntax error codes"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      expectStatus(await items.query("SELECT 1/0 AS x FROM c", { key: [pk] }), 400, 4001);
    },
  },
]);
