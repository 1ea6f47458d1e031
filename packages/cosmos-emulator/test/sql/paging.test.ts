import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { errorOf, TestContainer } from "./support/container.ts";

function numbered(count: number): TestContainer {
  return new TestContainer(
    Array.from({ length: count }, (_, at) => ({
      id: `${at}`,
      n: at % 10,
      even: at % 2 === 0,
      pk: at % 2 ? "odd" : "even",
    })),
  );
}

describe("a page ends at its limits", () => {
  const container = numbered(25);

  test.each([
    ["SELECT VALUE c.id FROM c", 25],
    ["SELECT VALUE c.id FROM c WHERE c.even", 13],
    ["SELECT VALUE c.id FROM c ORDER BY c.n", 25],
    ["SELECT VALUE c.id FROM c ORDER BY c.n DESC", 25],
    ["SELECT DISTINCT VALUE c.n FROM c", 10],
    ["SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n", 10],
    ["SELECT TOP 7 VALUE c.id FROM c", 7],
    ["SELECT TOP 7 VALUE c.id FROM c ORDER BY c.n DESC", 7],
    ["SELECT VALUE c.id FROM c OFFSET 3 LIMIT 9", 9],
    ["SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 3 LIMIT 9", 9],
    ["SELECT VALUE c.id FROM c OFFSET 20 LIMIT 9", 5],
    ["SELECT DISTINCT TOP 3 VALUE c.n FROM c", 3],
    ["SELECT VALUE UPPER(c.even ? c.id : undefined) FROM c", 13],
    ["SELECT TOP 3 VALUE UPPER(c.even ? c.id : undefined) FROM c", 3],
    ["SELECT VALUE UPPER(c.even ? c.id : undefined) FROM c OFFSET 2 LIMIT 3", 3],
    ["SELECT VALUE COUNT(1) FROM c", 1],
    ["SELECT VALUE 1", 1],
  ])("%s gives the same rows in pages of any size", (query, count) => {
    const all = container.query(query);
    expect(all).toHaveLength(count);
    for (const maxItems of [1, 2, 3, 5, count, count + 1]) {
      const pages = container.pages(query, {}, { maxItems });
      expect(pages.flat()).toEqual(all);
      expect(pages).toHaveLength(Math.ceil(count / maxItems));
      expect(pages.every((page) => page.length <= maxItems)).toBe(true);
    }
  });

  test("no continuation comes with the last page, and an empty result is a page", () => {
    expect(container.page("SELECT * FROM c").continuation).toBeUndefined();
    expect(container.page("SELECT * FROM c", {}, { maxItems: 25 }).continuation).toBeUndefined();
    expect(container.page("SELECT * FROM c WHERE c.n = 99")).toMatchObject({ rows: [] });
  });

  test("the bytes of its rows stay within the limit, unless a single row does not", () => {
    const rows = ["small", "x".repeat(50), "y".repeat(2000), "z".repeat(50), "€".repeat(30)];
    const stored = new TestContainer(rows.map((v, at) => ({ id: `${at}`, v })));
    const pages = stored.pages("SELECT VALUE c.v FROM c", {}, { maxBytes: 100 });
    expect(pages).toEqual([rows.slice(0, 2), [rows[2]], [rows[3]], [rows[4]]]);
    for (const query of ["SELECT VALUE c.v FROM c ORDER BY c.id", "SELECT DISTINCT VALUE c.v FROM c"]) {
      expect(stored.pages(query, {}, { maxBytes: 100 })).toEqual(pages);
    }
  });

  test("the conditions of the scope hold on each page", () => {
    const conditions = [{ sql: "d.pk = ? OR d.pk = ?", values: ['["odd"]', "none"] }];
    const ids = container.query(
      "SELECT VALUE c.id FROM c WHERE c.n > 0 OR true",
      {},
      { conditions, maxItems: 2 },
    );
    expect(ids).toEqual(Array.from({ length: 12 }, (_, at) => `${at * 2 + 1}`));
  });
});

/** Documents written between two pages. */
describe("pages neither repeat nor skip", () => {
  test.each([
    ["SELECT VALUE c.id FROM c"],
    ["SELECT VALUE c.id FROM c ORDER BY c.n"],
    ["SELECT VALUE c.id FROM c ORDER BY c.n DESC"],
    ["SELECT VALUE c.id FROM c ORDER BY c.n, c.id DESC"],
  ])("%s", (query) => {
    const container = numbered(20);
    const before = container.query(query);
    const seen: JsonValue[] = [];
    let continuation: string | undefined;
    let writes = 0;
    do {
      const page = container.page(query, {}, { maxItems: 3, ...(continuation && { continuation }) });
      seen.push(...page.rows.map((row) => JSON.parse(row) as JsonValue));
      continuation = page.continuation;
      // One that was answered goes, and one comes before everything and one behind.
      container.remove(String(seen.at(-1)));
      container.insert({ id: `new-low-${writes}`, n: -1 });
      container.insert({ id: `new-high-${writes}`, n: 99 });
      writes += 1;
    } while (continuation !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => !String(id).startsWith("new"))).toEqual(before);
  });

  test("documents whose order values are 64-bit integers or fractions of any length", () => {
    const container = new TestContainer();
    const numbers = [
      "9007199254740991",
      "9007199254740992",
      "9007199254740993",
      "9007199254740994",
      "9223372036854775807",
      "18446744073709551615",
      "0.1",
      "0.30000000000000004",
      "1.0306654144301037e-101",
      "5.002039601524644e-220",
    ];
    for (const [at, n] of numbers.entries()) {
      container.insert({ id: `${at}` }, `{"id":"${at}","n":${n}}`);
    }
    for (const query of [
      "SELECT VALUE c.id FROM c ORDER BY c.n",
      "SELECT VALUE c.id FROM c ORDER BY c.n DESC",
    ]) {
      const all = container.query(query);
      expect(new Set(all).size).toBe(numbers.length);
      expect(container.pages(query, {}, { maxItems: 1 }).flat()).toEqual(all);
    }
  });
});

describe("continuations", () => {
  const container = numbered(10);
  const query = "SELECT VALUE c.id FROM c ORDER BY c.n";

  test("are JSON text of at most 1 KB, however long the values are", () => {
    const stored = new TestContainer(
      Array.from({ length: 5 }, (_, at) => ({ id: `${at}`, v: `${"x".repeat(3000)}${at}` })),
    );
    const page = stored.page("SELECT VALUE c.id FROM c ORDER BY c.v", {}, { maxItems: 2 });
    expect(Buffer.byteLength(page.continuation ?? "")).toBeLessThanOrEqual(1024);
    expect(() => JSON.parse(page.continuation ?? "")).not.toThrow();
    expect(stored.query("SELECT VALUE c.id FROM c ORDER BY c.v", {}, { maxItems: 2 })).toEqual([
      "0",
      "1",
      "2",
      "3",
      "4",
    ]);
    expect(stored.query("SELECT TOP 3 VALUE c.id FROM c ORDER BY c.v", {}, { maxItems: 2 })).toEqual([
      "0",
      "1",
      "2",
    ]);
  });

  const { continuation = "" } = container.page(query, {}, { maxItems: 3 });
  const changed = (change: object): string => {
    const parsed = JSON.parse(continuation) as { after: object };
    return JSON.stringify({ ...parsed, after: { ...parsed.after, ...change } });
  };

  test.each([
    ["empty", ""],
    ["no JSON", "abc"],
    ["null", "null"],
    ["a number", "5"],
    ["an empty object", "{}"],
    ["cut short", continuation.slice(0, -3)],
    ["with another mark", continuation.replace(/"query":"../, '"query":"xx')],
    ["with a seq that is no number", changed({ seq: "1; DROP TABLE docs" })],
    ["with a negative seq", changed({ seq: -5 })],
    ["with too few order values", changed({ order: [] })],
    ["with too many order values", changed({ order: ["1", "2"] })],
    ["with an order value that is no text", changed({ order: [5] })],
    ["with an order value that is no JSON", changed({ order: ["abc"] })],
    ["without a count of rows", changed({ answered: undefined })],
  ])("that are %s are refused", (_, text) => {
    const error = errorOf(() => container.page(query, {}, { continuation: text }));
    expect(error).toMatchObject({ status: 400, code: "BadRequest" });
    expect(error.message).toContain("continuation");
  });

  test.each([
    ["SELECT VALUE c.id FROM c ORDER BY c.n DESC"],
    ["SELECT VALUE c.n FROM c ORDER BY c.n"],
    ["SELECT VALUE c.id FROM c WHERE c.n > 3 ORDER BY c.n"],
    ["SELECT DISTINCT VALUE c.id FROM c ORDER BY c.n"],
  ])("of another query are refused: %s", (other) => {
    expect(errorOf(() => container.page(other, {}, { continuation })).status).toBe(400);
  });

  test("of groups are refused with the place of a document", () => {
    const groups = "SELECT VALUE c.n FROM c GROUP BY c.n";
    const token = container.page(groups, {}, { maxItems: 1 }).continuation ?? "";
    const forged = token.replace(
      /"skip":\{[^}]*\}/,
      '"after":{"seq":1,"rowsOfSeq":1,"order":[],"answered":1}',
    );
    expect(forged).not.toBe(token);
    expect(errorOf(() => container.page(groups, {}, { continuation: forged })).status).toBe(400);
  });

  test("of a rewritten ORDER BY query go on with another filter", () => {
    const rewritten = (filter: string): string =>
      `SELECT c._rid, [{"item": c.n}] AS orderByItems, c.id AS payload\nFROM c\nWHERE (${filter})\nORDER BY c.n`;
    const first = container.page(rewritten("true"), {}, { maxItems: 3 });
    const rest = container.page(rewritten("c.n >= 2"), {}, { continuation: first.continuation ?? "" });
    expect(rest.rows.map((row) => (JSON.parse(row) as { payload: string }).payload)).toEqual([
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
      "9",
    ]);
  });
});

describe("what is reported for charges", () => {
  const container = numbered(20);
  const report = (query: string, options = {}): [number, number] => {
    const page = container.page(query, {}, options);
    return [page.matchedRows, page.scannedBytes];
  };

  test.each([
    ["SELECT * FROM c WHERE c.n < 5", {}, 10],
    ["SELECT TOP 1 * FROM c WHERE c.n < 5", {}, 10],
    ["SELECT TOP 1 * FROM c WHERE c.n < 5", { orderCovered: true }, 1],
    ["SELECT * FROM c WHERE c.n < 5 ORDER BY c.id", { maxItems: 3 }, 10],
    ["SELECT * FROM c WHERE c.n < 5 ORDER BY c.id", { maxItems: 3, orderCovered: true }, 3],
    ["SELECT * FROM c WHERE c.n < 5 OFFSET 2 LIMIT 2", {}, 10],
    ["SELECT VALUE COUNT(1) FROM c WHERE c.n < 5", {}, 10],
    ["SELECT DISTINCT VALUE c.n FROM c WHERE c.n < 5", {}, 10],
    ["SELECT VALUE c.n FROM c WHERE c.n < 5 GROUP BY c.n", {}, 10],
  ])("rows that match: %s with %j", (query, options, matched) => {
    expect(report(query, options)).toEqual([matched, 0]);
  });

  test("the matches of a sorted query are reported once", () => {
    const query = "SELECT * FROM c WHERE c.n < 5 ORDER BY c.id";
    const { continuation = "" } = container.page(query, {}, { maxItems: 3 });
    expect(report(query, { maxItems: 3, continuation })).toEqual([0, 0]);
  });

  test("bytes are measured where the filter is not indexed", () => {
    const bytes = container
      .page("SELECT * FROM c")
      .rows.reduce((sum, row) => sum + Buffer.byteLength(row), 0);
    const conditions = [{ sql: "d.pk = ?", values: ['["none"]'] }];
    expect(report("SELECT * FROM c WHERE c.n = 1", { filterIndexed: false })).toEqual([2, bytes]);
    expect(report("SELECT * FROM c WHERE c.n = 1", { filterIndexed: false, conditions })).toEqual([0, 0]);
    const { continuation = "" } = container.page("SELECT * FROM c", {}, { maxItems: 10 });
    const [, rest] = report("SELECT * FROM c", { filterIndexed: false, continuation });
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(bytes);
  });
});
