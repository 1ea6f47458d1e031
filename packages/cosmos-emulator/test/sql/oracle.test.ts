/**
 * Random queries on random documents against an evaluator that is too plain to be wrong in the same way. What it
 * found is below, each with its name. After a change of the translation, ask some ten thousand:
 * `npm run dev -- test:deep packages/cosmos-emulator/test/sql/oracle --effort 5`.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs, SEED } from "../../../../test/support/effort.ts";
import { indexExpressions } from "../../src/sql/index.ts";
import { printSelect } from "../../src/sql/syntax/print.ts";
import { TestContainer } from "./support/container.ts";
import { answer } from "./support/oracle/answer.ts";
import { type RandomCase, randomCase } from "./support/oracle/random-queries.ts";

const container = new TestContainer();

/** The same table for all cases: to open one takes longer than to ask a query. */
function store({ documents, indexed }: RandomCase): void {
  container.db.exec(`DELETE FROM ${container.table}`);
  for (const name of ["a", "b", "n", "k v"]) {
    const columns = indexExpressions(`/"${name}"`).join(", ");
    container.db.exec(
      indexed.includes(name)
        ? `CREATE INDEX IF NOT EXISTS "by ${name}" ON ${container.table} (${columns})`
        : `DROP INDEX IF EXISTS "by ${name}"`,
    );
  }
  for (const document of documents) {
    container.insert(document);
  }
}

/** All rows of all pages, or a few more than the `most` that are wanted: pages that repeat themselves have no end. */
function rowsOf(
  query: string,
  parameters: RandomCase["parameters"],
  options: { readonly maxItems: number; readonly orderUndefined: boolean },
  most: number,
): readonly unknown[] {
  const rows: unknown[] = [];
  let continuation: string | undefined;
  do {
    const page = container.page(query, parameters, { ...options, ...(continuation && { continuation }) });
    rows.push(...page.rows.map((row) => JSON.parse(row) as unknown));
    continuation = page.continuation;
  } while (continuation !== undefined && rows.length <= most);
  return rows;
}

/** Throws with all that is needed to ask the same again. */
function check(one: RandomCase, pageSizes: readonly number[]): void {
  const query = printSelect(one.select);
  const { parameters, orderUndefined, documents } = one;
  store(one);
  const wanted = answer(one.select, documents, {
    parameters: new Map(Object.entries(parameters)),
    orderUndefined,
  });
  for (const maxItems of pageSizes) {
    const found = rowsOf(query, parameters, { maxItems, orderUndefined }, wanted.length);
    try {
      expect(found).toEqual(JSON.parse(JSON.stringify(wanted)));
    } catch (cause) {
      const lines = [
        `${query}\nwith ${JSON.stringify(parameters)}, pages of ${maxItems}, orderUndefined ${orderUndefined}`,
        `indexes on ${one.indexed.join(", ") || "nothing"}`,
        ...documents.map((document) => JSON.stringify(document)),
        `wanted ${JSON.stringify(wanted)}`,
        `found  ${JSON.stringify(found)}`,
      ];
      throw new Error(lines.join("\n"), { cause });
    }
  }
}

describe("what random queries have found", () => {
  test("a page that ends inside the rows of a document whose first ones OFFSET leaves out", () => {
    const stored = new TestContainer([
      { id: "0", list: [1, 2, 3] },
      { id: "1", list: [4] },
    ]);
    for (const query of [
      "SELECT VALUE x FROM c JOIN x IN c.list OFFSET 1 LIMIT 9",
      "SELECT VALUE x FROM c JOIN x IN c.list ORDER BY c.id OFFSET 1 LIMIT 9",
    ]) {
      expect(stored.pages(query, {}, { maxItems: 1 })).toEqual([[2], [3], [4]]);
    }
  });

  test("groups of the elements of one document come in the order of the elements", () => {
    const stored = new TestContainer([{ id: "0", list: [null, false, "b", null, 1] }]);
    const query = "SELECT VALUE COUNT(x) FROM c JOIN x IN c.list GROUP BY x";
    expect(stored.query(query)).toEqual([2, 1, 1, 1]);
    expect(stored.pages("SELECT x FROM c JOIN x IN c.list GROUP BY x", {}, { maxItems: 3 })).toEqual([
      [{ x: null }, { x: false }, { x: "b" }],
      [{ x: 1 }],
    ]);
  });
});

describe("what a reading of the code found beside them", () => {
  const stored = new TestContainer([
    { id: "0", kind: "a", n: 5, list: [2, "b", 1, 2, "a"] },
    { id: "1", kind: "b", n: 7 },
    { id: "2", kind: "a", n: 9 },
  ]);

  test("the distinct rows of a subquery keep their order", () => {
    const listOf = (subquery: string) =>
      stored.query(`SELECT VALUE ARRAY(${subquery}) FROM c WHERE c.id = "0"`)[0];
    expect(listOf("SELECT DISTINCT VALUE x FROM x IN c.list")).toEqual([2, "b", 1, "a"]);
    expect(listOf("SELECT DISTINCT TOP 2 VALUE x FROM x IN c.list ORDER BY x DESC")).toEqual(["b", "a"]);
    expect(listOf("SELECT VALUE COUNT(1) FROM x IN c.list GROUP BY x")).toEqual([2, 1, 1, 1]);
  });

  test("a distinct row stands where the first of its kind does in the order, as clients merge it", () => {
    expect(stored.query("SELECT DISTINCT VALUE c.kind FROM c ORDER BY c.n DESC")).toEqual(["a", "b"]);
    expect(stored.query("SELECT DISTINCT VALUE c.kind FROM c ORDER BY c.n")).toEqual(["a", "b"]);
  });
});

describe("the rows of random queries are those of the plain evaluator", () => {
  test("at once, and page by page", { timeout: Number.POSITIVE_INFINITY }, () => {
    fc.assert(
      fc.property(randomCase, (one) => check(one, [1000, 1, 3])),
      { seed: SEED, numRuns: runs(2_000) },
    );
  });
});
