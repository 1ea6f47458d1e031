/**
 * Random queries on random documents against an evaluator that is too plain to be wrong in the same way. After a change of the translation, ask some ten thousand:
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

describe("what a reading of the code has found", () => {
  const stored = new TestContainer([
    { id: "0", kind: "a", n: 5 },
    { id: "1", kind: "b", n: 7 },
    { id: "2", kind: "a", n: 9 },
  ]);

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
