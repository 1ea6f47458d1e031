/**
 * Texts that no program means: each is answered or refused with 400, never anything else. The work is bounded by what
 * is counted (tokens, levels, bound values, statements), and those bounds are what is tested, not time.
 */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { CosmosError } from "../../src/protocol/cosmos-error.ts";
import { compilePredicate, parseQuery } from "../../src/sql/index.ts";
import { tokenize } from "../../src/sql/syntax/lexer.ts";
import { TestContainer } from "./support/container.ts";
import { StatementWatch } from "./support/statement-watch.ts";

const watch = new StatementWatch();
afterAll(() => watch[Symbol.dispose]());

const container = new TestContainer([
  { id: "1", n: 1, a: { b: [1, { x: "y" }] }, list: [1, "a", null], s: "text" },
  { id: "2", n: -2.5, list: [], flag: true },
]);

/** "answered", or the code of the refusal; anything but those two fails. */
function outcomeOf(query: string): string {
  try {
    container.query(query, { "@p": 1, "@list": [1, "a"] }, { maxItems: 2 });
    return "answered";
  } catch (error) {
    return codeOf(error);
  }
}

/** Refusals of a query: 400, and 501 for what the endpoint does not have, such as `udf.`. */
const REFUSALS: readonly number[] = [400, 501];

function codeOf(error: unknown): string {
  if (!(error instanceof CosmosError) || !REFUSALS.includes(error.status)) {
    throw error;
  }
  return /"code":"(\w+)"/.exec(error.message)?.[1] ?? "refused";
}

const WORDS = [
  ..."SELECT FROM c WHERE VALUE DISTINCT TOP AS JOIN IN ORDER BY GROUP OFFSET LIMIT DESC".split(" "),
  ..."AND OR NOT BETWEEN LIKE ESCAPE EXISTS ARRAY null true undefined udf".split(" "),
  ..."c.n c.a.b c.list c['s'] x @p @list @none 0 1 -1 1e400 0x10 9007199254740993 'a' \"b\" ''".split(" "),
  ..."( ) [ ] { } , . : ? ?? || = != <> < <= > >= + - * / % & | ^ << >> >>> ~ ;".split(" "),
  ..."COUNT( SUM( MIN( ABS( ROUND( LEFT( CONCAT( ARRAY_CONTAINS( IIF(".split(" "),
  "-- comment\n",
];

const soup = fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(" "));
/** Begins well, so that it comes further. */
const nearlyGood = soup.map((words) => `SELECT VALUE ${words} FROM c`);
const filter = soup.map((words) => `SELECT * FROM c WHERE ${words}`);
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString("latin1"));
const text = fc.string({ unit: "binary", maxLength: 200 });

/** A good query with a piece of it taken out, doubled or replaced. */
const damaged = fc
  .record({
    query: fc.constantFrom(
      "SELECT TOP 2 c.id, [c.n, {a: c.a.b[0]}] AS v FROM c JOIN x IN c.list WHERE c.n BETWEEN 1 AND @p ORDER BY c.n DESC",
      "SELECT DISTINCT VALUE UPPER(c.s ?? 'none') FROM c WHERE c.s LIKE '%t_x%' ESCAPE '!' OFFSET 0 LIMIT 5",
      "SELECT c.flag, COUNT(1) AS k, AVG(c.n) FROM root AS c WHERE EXISTS (SELECT VALUE t FROM t IN c.list) GROUP BY c.flag",
    ),
    from: fc.nat(),
    length: fc.integer({ min: 0, max: 12 }),
    by: fc.oneof(fc.constantFrom("", ...WORDS), fc.string({ maxLength: 5 })),
  })
  .map(({ query, from, length, by }) => {
    const at = from % query.length;
    return query.slice(0, at) + by + query.slice(at + length);
  });

describe("random texts are answered or refused", () => {
  test.each([
    ["words in any order", soup],
    ["words as a value", nearlyGood],
    ["words as a filter", filter],
    ["queries with a mistake", damaged],
    ["bytes", bytes],
    ["characters", text],
  ])("%s", (_name, texts) => {
    fc.assert(
      fc.property(texts, (query) => {
        outcomeOf(query);
      }),
      { numRuns: 400 },
    );
  });

  test("and so are conditions", () => {
    fc.assert(
      fc.property(fc.oneof(soup, text, bytes), (condition) => {
        try {
          compilePredicate(condition)(container.statements, '{"n":1}');
        } catch (error) {
          codeOf(error);
        }
      }),
      { numRuns: 400 },
    );
  });
});

/** Deeper than any stack would bear if each level were a call. */
const DEEP = 10_000;
const nest = (open: string, inside: string, close: string) => open.repeat(DEEP) + inside + close.repeat(DEEP);

describe("nesting is counted", () => {
  test.each([
    ["parentheses", nest("(", "1", ")")],
    ["parentheses that stay open", "(".repeat(DEEP)],
    ["NOT", nest("NOT ", "true", "")],
    ["signs", nest("- ~ + ", "1", "")],
    ["arrays", nest("[", "", "]")],
    ["objects", nest("{a: ", "1", "}")],
    ["indexes", `c${nest("[c", "", "]")}`],
    ["members", `c${".a".repeat(DEEP)}`],
    ["calls", nest("ABS(", "1", ")")],
    ["subqueries", nest("(SELECT VALUE ", "1", ")")],
    ["EXISTS", nest("EXISTS(SELECT VALUE ", "1", ")")],
    ["arrays of subqueries", nest("ARRAY(SELECT VALUE ", "1", ")")],
    ["conditions", nest("true ? ", "1", " : 2")],
    ["conditions behind the colon", nest("true ? 1 : ", "1", "")],
    ["sums", nest("1 + ", "1", "")],
    ["operators of rising precedence", nest("1 | 2 ^ 3 & 4 = 5 < 6 << 7 + 8 * ", "1", "")],
    ["joined texts", nest("'a' || ", "'b'", "")],
    ["coalescing", nest("c.a ?? ", "1", "")],
    ["lists in lists", nest("1 IN (", "1", ")")],
    ["BETWEEN", nest("1 BETWEEN (", "1", ") AND 2")],
  ])("%s", (_name, expression) => {
    expect(outcomeOf(`SELECT VALUE ${expression} FROM c`)).toMatch(/^SC(3001|1001)$/);
    expect(outcomeOf(`SELECT * FROM c WHERE ${expression}`)).toMatch(/^SC(3001|1001)$/);
  });

  test("so are sources inside sources", () => {
    expect(outcomeOf(`SELECT * FROM ${nest("(SELECT VALUE x FROM ", "c", ") x")}`)).toBe("SC3001");
  });
});

describe("what is wide is answered, or refused as too complex", () => {
  const many = (count: number, item: (n: number) => string, separator: string): string =>
    Array.from({ length: count }, (_, n) => item(n)).join(separator);

  test.each([
    ["a list", `SELECT VALUE c.n FROM c WHERE c.n IN (${many(50_000, String, ", ")})`],
    ["a list of texts", `SELECT VALUE c.n FROM c WHERE c.s IN (${many(30_000, (n) => `'${n}'`, ", ")})`],
    [
      "a list of mixed types",
      `SELECT VALUE c.n FROM c WHERE c.s IN (${many(9000, (n) => `'${n}', ${n}, null`, ", ")})`,
    ],
    ["equalities", `SELECT VALUE c.n FROM c WHERE ${many(15_000, (n) => `c.n = ${n}`, " OR ")}`],
    ["inequalities", `SELECT VALUE c.n FROM c WHERE ${many(15_000, (n) => `c.n != ${n + 9}`, " AND ")}`],
    ["a list of paths", `SELECT VALUE c.n FROM c WHERE 1 IN (${many(20_000, () => "c.n", ", ")})`],
    ["an array", `SELECT VALUE ARRAY_CONTAINS([${many(50_000, String, ", ")}], c.n) FROM c`],
    ["a text", `SELECT VALUE '${"x".repeat(256 * 1024)}' FROM c`],
    ["blanks", `SELECT VALUE 1${" ".repeat(256 * 1024)}FROM c`],
    ["comments", `SELECT VALUE 1 ${"-- x\n".repeat(50_000)} FROM c`],
  ])("%s is answered", (_name, query) => {
    expect(outcomeOf(query)).toBe("answered");
  });

  test.each([
    ["columns", `SELECT ${many(10_000, (n) => `c.n AS k${n}`, ", ")} FROM c`],
    ["computed columns", `SELECT ${many(10_000, (n) => `c.n + ${n} AS k${n}`, ", ")} FROM c`],
    ["comparisons", `SELECT VALUE c.n FROM c WHERE ${many(20_000, (n) => `c.n > ${n}`, " OR ")}`],
    ["different paths", `SELECT VALUE c.n FROM c WHERE ${many(9000, (n) => `c.p${n} = 1`, " AND ")}`],
    ["arguments", `SELECT VALUE CONCAT(${many(20_000, () => "c.s", ", ")}) FROM c`],
    ["keys", `SELECT COUNT(1) AS k FROM c GROUP BY ${many(5000, (n) => `c.p${n}`, ", ")}`],
    ["items of an order", `SELECT * FROM c ORDER BY ${many(5000, (n) => `c.p${n}`, ", ")}`],
    ["aggregates", `SELECT ${many(5000, (n) => `SUM(c.p${n}) AS k${n}`, ", ")} FROM c`],
    ["unclosed quotes", `SELECT VALUE ${"'".repeat(256 * 1024 + 1)} FROM c`],
    ["escapes", `SELECT VALUE '${"\\q".repeat(100_000)}' FROM c`],
    ["dots", `SELECT VALUE ${".".repeat(256 * 1024)} FROM c`],
    ["more than 512 KB", `SELECT VALUE '${"x".repeat(512 * 1024)}' FROM c`],
  ])("%s are refused", (_name, query) => {
    expect(outcomeOf(query)).not.toBe("answered");
  });
});

describe("the rows of joins are counted", () => {
  const wide = new TestContainer([{ id: "1", l: Array.from({ length: 60 }, (_, n) => n) }]);
  const joined = (count: number): string =>
    Array.from({ length: count }, (_, n) => ` JOIN j${n} IN c.l`).join("");

  test.each([
    ["a count", `SELECT VALUE COUNT(1) FROM c${joined(6)}`],
    ["rows of which none passes", `SELECT VALUE c.id FROM c${joined(6)} WHERE j5 > 100`],
    ["an order", `SELECT VALUE j0 FROM c${joined(6)} ORDER BY c.id`],
    ["groups", `SELECT j0, COUNT(1) AS k FROM c${joined(6)} GROUP BY j0`],
    ["distinct values", `SELECT DISTINCT VALUE j0 FROM c${joined(6)}`],
    ["a subquery", `SELECT VALUE (SELECT VALUE COUNT(1) FROM j IN c.l${joined(6)}) FROM c`],
    ["a condition", `SELECT VALUE 1 FROM c WHERE EXISTS(SELECT 1 FROM j IN c.l${joined(6)} WHERE j5 > 100)`],
    ["an array", `SELECT VALUE ARRAY(SELECT VALUE j FROM j IN c.l${joined(6)}) FROM c`],
  ])("%s of more than two million is refused, and the next query is answered", (_name, query) => {
    expect(() => wide.query(query)).toThrow("joins more than 2,000,000 rows");
    expect(wide.query("SELECT VALUE COUNT(1) FROM c JOIN a IN c.l JOIN b IN c.l")).toEqual([3600]);
  });
});

describe("the steps are bounded", () => {
  test("there is at most one token for each character, and one for the end", () => {
    fc.assert(
      fc.property(fc.oneof(soup, damaged), (query) => {
        try {
          expect(tokenize(query).length).toBeLessThanOrEqual(query.length + 1);
        } catch (error) {
          codeOf(error);
        }
      }),
    );
  });

  test("a page takes one statement for each place to go on from, and one to count, whatever the query", () => {
    fc.assert(
      fc.property(fc.oneof(nearlyGood, filter, damaged), (query) => {
        try {
          const items = parseQuery(query).select.orderBy.length;
          const page = () => container.page(query, { "@p": 1, "@list": [1] }, { maxItems: 1 });
          expect(watch.preparedBy(page)).toBeLessThanOrEqual(2 + 2 * items);
        } catch (error) {
          codeOf(error);
        }
      }),
      { numRuns: 300 },
    );
  });
});
