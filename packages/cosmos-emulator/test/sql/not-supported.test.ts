/** Parts of the query language that the service has and this endpoint does not: each is refused by name, in its place. */
import { expect, test } from "vitest";
import { compilePredicate, parseQuery } from "../../src/sql/index.ts";
import { queryErrorOf } from "./support/container.ts";

test.each([
  ["SELECT t FROM c JOIN t IN c.tags", "JOIN"],
  ["SELECT * FROM t IN c.tags", "IN after FROM"],
  ["SELECT * FROM c.address", "A path in FROM"],
  ["SELECT * FROM c['address'] AS a", "A path in FROM"],
  ["SELECT * FROM (SELECT VALUE c.id FROM c) AS s", "A subquery in FROM"],
  ["SELECT VALUE (SELECT VALUE 1) FROM c", "A subquery"],
  ["SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags)", "A subquery in EXISTS"],
  ["SELECT VALUE ARRAY (SELECT VALUE t FROM t IN c.tags) FROM c", "A subquery in ARRAY"],
  [
    "SELECT * FROM c ORDER BY RANK FullTextScore(c.text, 'a')",
    "ORDER BY RANK (full-text and vector ranking)",
  ],
  ["SELECT VALUE c.a ? 1 : 2 FROM c", "The operator ?"],
  ["SELECT * FROM c WHERE c.n IN (c.a ?? 1)", "The operator ??"],
  ["SELECT VALUE c.a || 'b' FROM c", "The operator ||"],
  ["SELECT VALUE 1 + ~c.n FROM c", "The operator ~"],
  ...["|", "^", "&", "<<", ">>", ">>>"].map((operator) => [
    `SELECT VALUE c.n ${operator} 1 FROM c`,
    `The operator ${operator}`,
  ]),
])("%s", (query, what) => {
  const { code, message } = queryErrorOf(() => parseQuery(query));
  expect([code, message]).toEqual(["SC2100", `${what} is not supported by this endpoint.`]);
});

test("conditions of patches neither", () => {
  const { code, location } = queryErrorOf(() => compilePredicate("from c join t in c.tags where t = 1"));
  expect([code, location]).toEqual(["SC2100", { start: 7, end: 11 }]);
});
