/**
 * Plans of SQLite for hot queries on a table with indexes as the engine makes them: what is filtered and sorted
 * by must be found by an index, or a query would slow down with the number of documents.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexColumns, indexExpressions } from "../../src/sql/index.ts";
import { translateDocumentQuery } from "../../src/sql/run/document-query.ts";
import { legsOf } from "../../src/sql/run/legs.ts";
import { parseQuery } from "../../src/sql/syntax/parser.ts";
import { from, where } from "../../src/sql/translate/clauses.ts";
import { createTranslator } from "../../src/sql/translate/create-translator.ts";
import { raw } from "../../src/sql/translate/sql-text.ts";
import { type Parameters, TestContainer } from "./support/container.ts";
import { StatementWatch } from "./support/statement-watch.ts";

const watch = new StatementWatch();
afterAll(() => watch[Symbol.dispose]());

const container = new TestContainer();

beforeAll(() => {
  container.db.exec("BEGIN");
  for (let at = 0; at < 1000; at += 1) {
    container.insert({
      id: `${at}`,
      pk: `p${at % 20}`,
      type: `type-${at % 5}`,
      n: at % 50,
      a: { "b'c": at },
      ...(at % 3 === 0 ? {} : { lockedUntil: at % 3 === 1 ? null : at }),
    });
  }
  container.db.exec("COMMIT");
  index("type", indexExpressions("/type"));
  index("n", indexExpressions("/n"));
  index("nested", indexExpressions(`/a/"b'c"`));
  index("composite", ["pk", ...indexColumns([{ path: "/type" }, { path: "/n" }])]);
  index(
    "downwards",
    indexColumns([{ path: "/type" }, { path: "/lockedUntil" }, { path: "/n", descending: true }]),
  );
});

function index(name: string, columns: readonly string[]): void {
  container.db.exec(`CREATE INDEX "${name}" ON ${container.table} (${columns.join(", ")})`);
}

/** Returns SQLite's plan for the statement that the query really runs. */
function plan(query: string, parameters: Parameters = {}, pk?: string): string[] {
  const conditions = pk === undefined ? [] : [{ sql: "d.pk = ?", values: [JSON.stringify([pk])] }];
  return watch.plansOf(() => container.page(query, parameters, { conditions, orderCovered: true }));
}

describe("filters", () => {
  test.each([
    ["c.type = 'type-1'", "type"],
    ["'type-1' = c.type", "type"],
    ["c.type = @type", "type"],
    ["c['type'] = @type", "type"],
    ["c.type IN ('type-1', 'type-2')", "(type|downwards)"],
    ["c.type = 'type-1' OR c.type = 'type-2'", "(type|downwards)"],
    ["STARTSWITH(c.type, 'type-1')", "type"],
    ["c.n = 7", "n"],
    ["c.n > 7", "n"],
    ["c.n <= @n", "n"],
    ["c.n > 7 AND c.n < 9", "n"],
    ["c.n BETWEEN 7 AND 9", "n"],
    ["c.n = 0.5", "n"],
    ["c.n = null", "n"],
    ["c.n = true", "n"],
    ["NOT IS_DEFINED(c.n)", "n"],
    ["IS_NULL(c.n)", "n"],
    ["IS_STRING(c.n)", "n"],
    [`c.a["b'c"] = 5`, "nested"],
    ["c.type = 'type-1' AND c.nope > 1", "type"],
    ["c.type = 'type-1' AND UPPER(c.id) = 'X'", "type"],
  ])("%s is found by an index", (condition, name) => {
    const steps = plan(`SELECT * FROM c WHERE ${condition}`, { "@type": "type-1", "@n": 7 });
    // Two indexes begin with the type, and versions of SQLite differ in which of them they take for a list.
    expect(steps[0]).toMatch(new RegExp(`SEARCH d USING INDEX ${name} \\(<expr>=\\?`));
    expect(steps.join()).not.toContain("SCAN d");
  });

  test("equality and range use both expressions of the path", () => {
    expect(plan("SELECT * FROM c WHERE c.type = 'x'")).toEqual([
      "SEARCH d USING INDEX type (<expr>=? AND <expr>=?)",
    ]);
    expect(plan("SELECT * FROM c WHERE c.n >= 7")[0]).toContain("(<expr>=? AND <expr>>?)");
    expect(plan("SELECT * FROM c WHERE STARTSWITH(c.type, 'x')")[0]).toContain(
      "(<expr>=? AND <expr>>? AND <expr><?)",
    );
  });

  test("the lock condition of a queue stands beside an indexed equality", () => {
    const lock = "(NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil = null OR c.lockedUntil <= @now)";
    const parameters = { "@now": 5 };
    const [anywhere] = plan(`SELECT * FROM c WHERE c.type = 'type-1' AND c.n <= 5 AND ${lock}`, parameters);
    expect(anywhere).toContain("SEARCH d USING INDEX");
    const within = plan(`SELECT * FROM c WHERE c.type = 'type-1' AND ${lock} ORDER BY c.n`, parameters, "p1");
    expect(within).toEqual(["SEARCH d USING INDEX composite (pk=? AND <expr>=? AND <expr>=?)"]);
  });
});

describe("order", () => {
  test.each([
    ["SELECT * FROM c ORDER BY c.n", undefined],
    ["SELECT * FROM c WHERE c.n > 5 ORDER BY c.n", undefined],
    ["SELECT * FROM c WHERE c.type = 'type-1' ORDER BY c.n", "p1"],
    ["SELECT TOP 1 c.id FROM c WHERE c.type = 'type-1' AND c.n >= 5 ORDER BY c.n", "p1"],
    ["SELECT * FROM c ORDER BY c.type, c.n", "p1"],
    ["SELECT * FROM c WHERE c.type = 'type-1' AND c.lockedUntil = null ORDER BY c.n DESC", undefined],
    ["SELECT * FROM c WHERE c.type = 'type-1'", undefined],
  ])("%s does not sort", (query, pk) => {
    const steps = plan(query, {}, pk).join();
    expect(steps).toContain("USING INDEX");
    expect(steps).not.toContain("TEMP B-TREE");
  });

  test("without an index it sorts", () => {
    expect(plan("SELECT * FROM c ORDER BY c.id").join()).toContain("TEMP B-TREE");
  });

  test("a page that goes on is sought by the order values, not counted to", () => {
    const query = parseQuery("SELECT * FROM c WHERE c.type = 'type-1' ORDER BY c.n");
    const documents = {
      table: raw(`${container.table} AS d`),
      body: "d.body",
      seq: "d.seq",
      conditions: [{ text: "d.pk = ?", values: ['["p1"]'] }],
    };
    const options = { orderUndefined: false, reversed: false };
    const translated = translateDocumentQuery(query, createTranslator(new Map()), documents, options);
    const legs = legsOf(translated, { kind: "row", seq: 5, rowsOfSeq: 1, order: ["7"], answered: 1 });
    const sought = legs.map((leg) => {
      const conditions = where([...translated.conditions, ...leg.conditions]);
      const text = `EXPLAIN QUERY PLAN SELECT d.body${from(translated.rows.tables).text}${conditions.text}`;
      return String(container.db.prepare(text).all()[0]?.["detail"]);
    });
    const prefix = "SEARCH d USING INDEX composite (pk=? AND <expr>=? AND <expr>=?";
    expect(sought).toEqual([
      `${prefix} AND <expr>=? AND <expr>=? AND rowid>?)`,
      `${prefix} AND <expr>=? AND <expr>>?)`,
      `${prefix} AND <expr>>?)`,
    ]);
  });
});

describe("index expressions", () => {
  test("are about the column body, and none for what no index can serve", () => {
    expect(indexExpressions("/a/b")).toHaveLength(2);
    expect(indexExpressions("/a/b").every((expression) => expression.includes('(body, \'$."a"."b"\')'))).toBe(
      true,
    );
    expect(indexExpressions("/list/[]/x")).toEqual([]);
    expect(indexExpressions('/"a\\"b"')).toEqual([]);
    expect(() => indexExpressions("a")).toThrow(expect.objectContaining({ status: 400 }));
  });

  test("columns of a composite index have its directions, and none if a path has none", () => {
    const columns = indexColumns([{ path: "/a" }, { path: "/b", descending: true }]);
    expect(columns.map((column) => column.endsWith(" DESC"))).toEqual([false, false, true, true]);
    expect(indexColumns([{ path: "/a" }, { path: "/list/[]" }])).toEqual([]);
  });

  test.each([["a'b"], ["$"], ["a.b"], ["a b"], ["[0]"], ["ключ"], ["'; DROP TABLE docs; --"]])(
    "a property named %j is indexed",
    (name) => {
      const stored = new TestContainer([
        { id: "a", [name]: 1 },
        { id: "b", [name]: 2 },
      ]);
      const path = `/"${name}"`;
      stored.db.exec(`CREATE INDEX i ON ${stored.table} (${indexExpressions(path).join(", ")})`);
      expect(stored.query(`SELECT VALUE c.id FROM c WHERE c["${name}"] = 2`)).toEqual(["b"]);
    },
  );
});
