/** Statements that the service refuses, and what it says of them. */
import { inGroup } from "../check.ts";
import { fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectStatus } from "../expect.ts";
import type { Target } from "../target.ts";

/** A statement and the code of its error. */
const REFUSED: readonly (readonly [statement: string, code: string])[] = [
  ["SELECT FROM c", "SC1001"],
  ["SELECT * FROM c WHERE", "SC1001"],
  ["INSERT INTO c VALUES (1)", "SC1001"],
  ["UPDATE c SET c.n = 1", "SC1001"],
  ["DELETE FROM c", "SC1001"],
  ["SELECT 1 AS a /* comment */", "SC1001"],
  ["", "SC1002"],
  ["SELECT * FROM c;", "SC1010"],
  ["SELECT 1 AS a; SELECT 2 AS b", "SC1010"],
  ["SELECT ABC(1) AS x FROM c", "SC2005"],
  ["SELECT c.a AS x, c.b AS x FROM c", "SC2022"],
];

/** The errors inside the message of an answer, which is `Message: {…}` on the service. */
function errorsIn(message: string): readonly Readonly<Record<string, unknown>>[] {
  const json = /\{"errors":.*\]\}/s.exec(message.replace(/\r\n.*/s, ""))?.[0] ?? "";
  return (fieldsOf(JSON.parse(json))["errors"] as unknown[]).map(fieldsOf);
}

async function errorOf(target: Target, statement: string) {
  const items = await target.items;
  const reply = expectStatus(await items.query(statement, { key: ["p"] }), 400);
  const [error] = errorsIn(textOf(reply.fields["message"]));
  if (error === undefined) throw new Error(`no error in ${reply.text}`);
  return error;
}

export const QUERY_SYNTAX = inGroup("query syntax", [
  ...REFUSED.map(([statement, code]) => ({
    name: `${JSON.stringify(statement)} is ${code}`,
    evidence: ["recorded: syntax error codes", "1.12 syntax errors", "2.1 400", "6 query"] as const,
    async run(target: Target) {
      const error = await errorOf(target, statement);
      expectEqual([error["severity"], error["code"]], ["Error", code], "severity and code");
      expect(textOf(error["message"]) !== "", "the message is empty");
    },
  })),
  {
    name: "a syntax error says where it is",
    evidence: ["1.12 syntax errors", "recorded: syntax error codes"],
    async run(target) {
      const error = await errorOf(target, "SELECT FROM c");
      expectEqual(error["location"], { start: 7, end: 11 }, "the location");
      expectEqual(error["message"], "Syntax error, incorrect syntax near 'FROM'.", "the message");
    },
  },
  {
    name: "a body without query is 400",
    evidence: ["2.1 400"],
    async run(target) {
      const items = await target.items;
      const headers = {
        "content-type": "application/query+json",
        "x-ms-documentdb-isquery": "True",
        "x-ms-documentdb-partitionkey": '["p"]',
      };
      for (const body of ["{}", "[]", "{", '{"query":5}']) {
        expectStatus(
          await target.raw.send({ method: "POST", link: `${items.link}/docs`, headers, body }),
          400,
        );
      }
    },
  },
  {
    name: "nesting without end is 400",
    evidence: ["2.1 400"],
    async run(target) {
      const items = await target.items;
      const depth = 20_000;
      for (const expression of [
        `${"(".repeat(depth)}1${")".repeat(depth)}`,
        `${"NOT ".repeat(depth)}true`,
        `${"[".repeat(depth)}${"]".repeat(depth)}`,
      ]) {
        expectStatus(await items.query(`SELECT VALUE ${expression} FROM c`, { key: ["p"] }), 400);
      }
    },
  },
  {
    name: "more than 512 KB of text is 400",
    evidence: ["3.1 query"],
    async run(target) {
      const items = await target.items;
      const query = `SELECT VALUE '${"x".repeat(600 * 1024)}' FROM c`;
      expectStatus(await items.query(query, { key: ["p"] }), 400);
    },
  },
  {
    name: "10 joins are taken and 11 refused",
    evidence: ["3.1 query"],
    async run(target) {
      const items = await target.items;
      const joins = (count: number): string =>
        Array.from({ length: count }, (_, n) => ` JOIN j${n} IN c.list`).join("");
      expectStatus(await items.query(`SELECT c.id FROM c${joins(11)}`, { key: ["p"] }), 400);
      expectStatus(await items.query(`SELECT c.id FROM c${joins(10)}`, { key: ["p"] }), 200);
    },
  },
  {
    name: "the SDK throws 400 for a statement that is wrong",
    evidence: ["2.2 one request", "6 query"],
    async run(target) {
      const { items } = await target.sdkContainer();
      const asked = items.query("SELECT FROM c", { partitionKey: "p" }).fetchAll();
      const error: unknown = await asked.catch((thrown: unknown) => thrown);
      expectEqual((error as { code?: unknown }).code, 400, "the code of the error");
    },
  },
]);
