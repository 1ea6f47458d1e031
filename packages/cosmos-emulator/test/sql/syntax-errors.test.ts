import { describe, expect, test } from "vitest";
import { parseQuery } from "../../src/sql/index.ts";
import { queryErrorOf, TestContainer } from "./support/container.ts";

/** docs/reference/cosmos-protocol.md §1.12. */
describe("a mistake in the query is answered with its position", () => {
  test.each([
    ["SELEC * FROM c", 0, 5, "SELEC"],
    ["SELECT FROM c", 7, 11, "FROM"],
    ["INSERT INTO c", 0, 6, "INSERT"],
    ["SELECT /* all */ * FROM c", 7, 8, "/"],
    ["SELECT * FORM c", 9, 13, "FORM"],
    ["SELECT * FROM c WHERE c.a == 1", 27, 28, "="],
    ["SELECT * FROM c WHERE c.a = 'x", 28, 30, "'x"],
    ["SELECT * FROM c WHERE c.a = 'x\\q'", 30, 32, "\\q"],
    ["SELECT c.a, FROM c", 12, 16, "FROM"],
    ["SELECT VALUE 1 AS x", 15, 17, "AS"],
    ["SELECT c.a b FROM c", 11, 12, "b"],
    ["SELECT * FROM c WHERE c.order = 1", 24, 29, "order"],
    ["SELECT * FROM c WHERE c.value = 1", 24, 29, "value"],
    ["SELECT * FROM c WHERE c.a = 1)", 29, 30, ")"],
    ["SELECT * FROM c WHERE c.a IN ()", 30, 31, ")"],
    ["SELECT * FROM c WHERE c.a NOT = 1", 30, 31, "="],
    ["SELECT * FROM c ORDER c.a", 22, 23, "c"],
    ["SELECT TOP c.a * FROM c", 11, 12, "c"],
    ["SELECT * FROM c LIMIT 1", 16, 21, "LIMIT"],
    ["SELECT * FROM c WHERE c.a = 10abc", 30, 33, "abc"],
    ["SELECT", 0, 6, "SELECT"],
    ["SELECT * FROM c WHERE", 16, 21, "WHERE"],
    ["SELECT * FROM c WHERE (c.a = 1", 29, 30, "1"],
    ["SELECT * FROM c OFFSET 1", 23, 24, "1"],
    ["SELECT VALUE a ? b -- c", 17, 18, "b"],
  ])("%s", (text, start, end, near) => {
    expect(queryErrorOf(() => parseQuery(text))).toEqual({
      severity: "Error",
      location: { start, end },
      code: "SC1001",
      message: `Syntax error, incorrect syntax near '${near}'.`,
    });
  });
});

describe("no text at all, or a character that begins nothing, has codes of its own", () => {
  test.each([
    ["", "SC1002", 0, 0],
    ["-- nothing", "SC1002", 10, 10],
    ["SELECT * FROM c WHERE c.a = 1; DROP TABLE c", "SC1010", 29, 30],
    ["SELECT * FROM c;", "SC1010", 15, 16],
    ["SELECT * FROM c WHERE c.a = #", "SC1010", 28, 29],
  ])("%s", (text, code, start, end) => {
    expect(queryErrorOf(() => parseQuery(text))).toMatchObject({ code, location: { start, end } });
  });

  test("the character is named", () => {
    const { message } = queryErrorOf(() => parseQuery("SELECT * FROM c;"));
    expect(message).toBe("Syntax error, invalid token ';'.");
  });
});

describe("what is no part of this endpoint is refused by name and position", () => {
  test.each([
    ["SELECT * FROM c ORDER BY RANK FullTextScore(c.a, 'x')", 25, 29, "ORDER BY RANK"],
    ["SELECT VALUE ST_DISTANCE(c.a, c.b) FROM c", 13, 34, "ST_DISTANCE"],
    ["SELECT VALUE VectorDistance(c.a, [1]) FROM c", 13, 37, "VectorDistance"],
    ["SELECT VALUE FullTextContains(c.a, 'x') FROM c", 13, 39, "FullTextContains"],
  ])("%s", (text, start, end, name) => {
    const error = queryErrorOf(() => new TestContainer().query(text));
    expect(error).toMatchObject({ code: "SC2100", location: { start, end } });
    expect(error.message).toContain(name);
    expect(error.message).toContain("not supported by this endpoint");
  });
});

describe("names are checked", () => {
  test.each([
    ["SELECT * FROM c WHERE d.a = 1", "SC2001", 22, 23, "Identifier 'd' could not be resolved."],
    ["SELECT VALUE x", "SC2001", 13, 14, "Identifier 'x' could not be resolved."],
    ["SELECT c.a FROM c AS r", "SC2001", 7, 8, "Identifier 'c' could not be resolved."],
    [
      "SELECT c.a AS x, c.b AS x FROM c",
      "SC2022",
      17,
      20,
      "The name 'x' stands for two columns. Give one of them another name with AS.",
    ],
    ["SELECT VALUE nope(1)", "SC2005", 13, 20, "'nope' is not a recognized built-in function name."],
    ["SELECT VALUE ABS(1, 2)", "SC2050", 13, 22, "The ABS function takes 1 argument(s), not 2."],
    ["SELECT VALUE CONCAT('a')", "SC2050", 13, 24, "The CONCAT function takes 2 to 100 argument(s), not 1."],
  ])("%s", (text, code, start, end, message) => {
    expect(queryErrorOf(() => new TestContainer().query(text))).toEqual({
      severity: "Error",
      location: { start, end },
      code,
      message,
    });
  });
});

describe("limits", () => {
  test.each([
    ["parentheses", (depth: number) => `SELECT VALUE ${"(".repeat(depth)}1${")".repeat(depth)}`],
    ["arrays", (depth: number) => `SELECT VALUE ${"[".repeat(depth)}${"]".repeat(depth)}`],
    ["negations", (depth: number) => `SELECT VALUE ${"NOT ".repeat(depth)}true`],
    ["signs", (depth: number) => `SELECT VALUE ${"- ".repeat(depth)}1`],
    ["subqueries", (depth: number) => `${"SELECT VALUE (".repeat(depth)}SELECT 1${")".repeat(depth)}`],
    ["conditions", (depth: number) => `SELECT VALUE ${"true ? ".repeat(depth)}1${" : 2".repeat(depth)}`],
    ["calls", (depth: number) => `SELECT VALUE ${"ABS(".repeat(depth)}1${")".repeat(depth)}`],
    ["sums", (depth: number) => `SELECT VALUE ${"1 + ".repeat(depth)}1`],
    ["paths", (depth: number) => `SELECT VALUE c${".a".repeat(depth)} FROM c`],
  ])("nested %s are refused beyond a depth and run below it", (_, query) => {
    expect(queryErrorOf(() => parseQuery(query(100_000 / 10))).code).toBe("SC3001");
    expect(() => new TestContainer().query(query(40))).not.toThrow();
  });

  test("thousands of conditions and of listed values are no depth", () => {
    const container = new TestContainer([{ id: "a", n: 2999 }]);
    const values = Array.from({ length: 3000 }, (_, at) => at);
    expect(container.query(`SELECT VALUE c.id FROM c WHERE c.n IN (${values.join()})`)).toEqual(["a"]);
    expect(
      container.query(`SELECT VALUE c.id FROM c WHERE ${values.map((n) => `c.n = ${n}`).join(" OR ")}`),
    ).toEqual(["a"]);
    expect(
      container.query(
        `SELECT VALUE c.id FROM c WHERE ${values.map((n) => `c.n != ${n + 3000}`).join(" AND ")}`,
      ),
    ).toEqual(["a"]);
  });

  test("thousands of different conditions are refused at once", () => {
    const container = new TestContainer();
    const terms = Array.from({ length: 10_000 }, (_, at) => `c.n>${at}`).join(" OR ");
    const query = `SELECT VALUE c.id FROM c WHERE ${terms}`;
    expect(queryErrorOf(() => container.query(query)).code).toBe("SC3001");
  });
});
