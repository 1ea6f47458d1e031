/** The query for each partition, the merging of the answers, and the partitions that a query concerns. */
import { describe, expect, test } from "vitest";
import { effectivePartitionKey } from "../../src/protocol/effective-partition-key.ts";
import type { JsonValue } from "../../src/protocol/json.ts";
import type { PartitionKey, PartitionKeyDefinition } from "../../src/protocol/partition-key.ts";
import { parseQuery, planQuery } from "../../src/sql/index.ts";
import { queryErrorOf } from "./support/container.ts";

const SIMPLE: PartitionKeyDefinition = { paths: ["/pk"], kind: "Hash", version: 2 };
const NESTED: PartitionKeyDefinition = { paths: ['/a/"b c"'], kind: "Hash", version: 2 };
const TREE: PartitionKeyDefinition = {
  paths: ["/tenant", "/user", "/device"],
  kind: "MultiHash",
  version: 2,
};

type Parameters = Readonly<Record<string, JsonValue>>;

function planOf(query: string, parameters: Parameters = {}, definition = SIMPLE) {
  const hash = (key: PartitionKey): string => effectivePartitionKey(key, definition);
  return planQuery(parseQuery(query), new Map(Object.entries(parameters)), definition, hash);
}

/** Returns the plan with the rewritten query on one line. */
function infoOf(query: string, parameters: Parameters = {}) {
  const { queryInfo } = planOf(query, parameters);
  return { ...queryInfo, rewrittenQuery: queryInfo.rewrittenQuery.replaceAll("\n", " ") };
}

const NOTHING = {
  distinctType: "None",
  top: null,
  offset: null,
  limit: null,
  orderBy: [],
  orderByExpressions: [],
  groupByExpressions: [],
  groupByAliases: [],
  aggregates: [],
  groupByAliasToAggregateType: {},
  rewrittenQuery: "",
  hasSelectValue: false,
  dCountInfo: null,
  hasNonStreamingOrderBy: false,
};
const FILTER = "{documentdb-formattableorderbyquery-filter}";

describe("a query whose rows need no merging, or only counting, is asked as it is", () => {
  test.each([
    ["SELECT * FROM c", {}],
    ["SELECT VALUE c.a FROM c WHERE c.b = 1", { hasSelectValue: true }],
    ["SELECT c.id, t FROM c JOIN t IN c.tags", {}],
    ["SELECT TOP 3 * FROM c", { top: 3 }],
    ["SELECT TOP @n * FROM c", { top: 5 }],
    ["SELECT DISTINCT c.a FROM c", { distinctType: "Unordered" }],
    ["SELECT DISTINCT VALUE c.a FROM c", { distinctType: "Unordered", hasSelectValue: true }],
    ["SELECT DISTINCT TOP 2 VALUE c.a FROM c", { distinctType: "Unordered", top: 2, hasSelectValue: true }],
  ])("%s", (query, info) => {
    expect(infoOf(query, { "@n": 5 })).toEqual({ ...NOTHING, ...info });
  });
});

describe("OFFSET and LIMIT ask each partition for all rows up to the end", () => {
  test.each([
    ["SELECT c.id FROM c OFFSET 2 LIMIT 3", "SELECT c.id FROM c OFFSET 0 LIMIT 5"],
    ["SELECT * FROM c WHERE c.a = 1 OFFSET @o LIMIT @l", "SELECT * FROM c WHERE (c.a = 1) OFFSET 0 LIMIT 5"],
  ])("%s", (query, rewrittenQuery) => {
    expect(infoOf(query, { "@o": 2, "@l": 3 })).toEqual({ ...NOTHING, offset: 2, limit: 3, rewrittenQuery });
  });
});

describe("ORDER BY asks for the order values beside each row", () => {
  test.each([
    [
      "SELECT * FROM c ORDER BY c.n",
      { orderBy: ["Ascending"], orderByExpressions: ["c.n"] },
      `SELECT c._rid, [{"item": c.n}] AS orderByItems, c AS payload FROM c WHERE (${FILTER}) ORDER BY c.n`,
    ],
    [
      "SELECT r.a, r.n + 1 AS more FROM root r WHERE r.a > 1 ORDER BY r.n DESC, r.a",
      { orderBy: ["Descending", "Ascending"], orderByExpressions: ["r.n", "r.a"] },
      'SELECT r._rid, [{"item": r.n}, {"item": r.a}] AS orderByItems, {"a": r.a, "more": (r.n + 1)} AS payload ' +
        `FROM root AS r WHERE (((r.a > 1)) AND (${FILTER})) ORDER BY r.n DESC, r.a`,
    ],
    [
      "SELECT TOP 2 VALUE c.id FROM c ORDER BY c.n",
      { orderBy: ["Ascending"], orderByExpressions: ["c.n"], top: 2, hasSelectValue: true },
      `SELECT TOP 2 c._rid, [{"item": c.n}] AS orderByItems, c.id AS payload FROM c WHERE (${FILTER}) ORDER BY c.n`,
    ],
    [
      "SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 4 LIMIT 3",
      { orderBy: ["Ascending"], orderByExpressions: ["c.n"], offset: 4, limit: 3, hasSelectValue: true },
      `SELECT c._rid, [{"item": c.n}] AS orderByItems, c.id AS payload FROM c WHERE (${FILTER}) ORDER BY c.n OFFSET 0 LIMIT 7`,
    ],
  ])("%s", (query, info, rewrittenQuery) => {
    expect(infoOf(query)).toEqual({ ...NOTHING, ...info, rewrittenQuery });
  });

  test("and what is asked then is a query itself, once the filter stands in its place", () => {
    const { rewrittenQuery } = infoOf("SELECT * FROM c WHERE c.a = 1 OR c.b = 2 ORDER BY c.n");
    expect(() => parseQuery(rewrittenQuery.replace(FILTER, "true"))).not.toThrow();
  });

  test.each([
    ["SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n", "Ordered"],
    ["SELECT DISTINCT c.a, c.n FROM c ORDER BY c.n, c.a DESC", "Ordered"],
    ["SELECT DISTINCT c.a, c.n FROM c ORDER BY c.n", "Unordered"],
    ["SELECT DISTINCT VALUE c.a FROM c ORDER BY c.n", "Unordered"],
    ["SELECT DISTINCT * FROM c ORDER BY c.n", "Unordered"],
  ])("%s has equal rows side by side or not: %s", (query, distinctType) => {
    expect(infoOf(query).distinctType).toBe(distinctType);
  });

  test("no partition stops early where equal rows fall away later", () => {
    const { rewrittenQuery, top } = infoOf("SELECT DISTINCT TOP 2 VALUE c.n FROM c ORDER BY c.n");
    expect([top, rewrittenQuery.includes("TOP")]).toEqual([2, false]);
  });
});

describe("an aggregate asks for what can be added up", () => {
  test.each([
    ["COUNT(1)", "Count", '{"item": COUNT(1)}'],
    ["SUM(c.n)", "Sum", '{"item": SUM(c.n)}'],
    ["AVG(c.n)", "Average", '{"item": {"sum": SUM(c.n), "count": COUNT(c.n)}}'],
    ["MIN(c.n)", "Min", '{"item": MIN(c.n), "item2": {"min": MIN(c.n), "count": COUNT(c.n)}}'],
    ["max(c.n)", "Max", '{"item": MAX(c.n), "item2": {"max": MAX(c.n), "count": COUNT(c.n)}}'],
  ])("VALUE %s", (call, type, part) => {
    expect(infoOf(`SELECT VALUE ${call} FROM c WHERE c.a = 1`)).toEqual({
      ...NOTHING,
      aggregates: [type],
      hasSelectValue: true,
      rewrittenQuery: `SELECT VALUE [${part}] FROM c WHERE (c.a = 1)`,
    });
  });

  test("several of them have a place each", () => {
    expect(infoOf("SELECT COUNT(1) AS n, SUM(c.n) AS sum FROM c")).toEqual({
      ...NOTHING,
      groupByAliases: ["n", "sum"],
      groupByAliasToAggregateType: { n: "Count", sum: "Sum" },
      rewrittenQuery: 'SELECT {"n": {"item": COUNT(1)}, "sum": {"item": SUM(c.n)}} AS payload FROM c',
    });
  });

  test("GROUP BY names the keys", () => {
    expect(infoOf("SELECT c.a, c.b AS k, AVG(c.n) AS n FROM c WHERE c.x GROUP BY c.a, c.b")).toEqual({
      ...NOTHING,
      groupByExpressions: ["c.a", "c.b"],
      groupByAliases: ["a", "k", "n"],
      groupByAliasToAggregateType: { a: null, k: null, n: "Average" },
      rewrittenQuery:
        'SELECT [{"item": c.a}, {"item": c.b}] AS groupByItems, ' +
        '{"a": c.a, "k": c.b, "n": {"item": {"sum": SUM(c.n), "count": COUNT(c.n)}}} AS payload ' +
        "FROM c WHERE c.x GROUP BY c.a, c.b",
    });
  });

  test("GROUP BY with a single value has it as its payload", () => {
    expect(infoOf("SELECT VALUE COUNT(1) FROM c GROUP BY c.a")).toMatchObject({
      aggregates: ["Count"],
      rewrittenQuery:
        'SELECT [{"item": c.a}] AS groupByItems, [{"item": COUNT(1)}] AS payload FROM c GROUP BY c.a',
    });
  });

  test.each([
    ["SELECT VALUE COUNT(1) + 1 FROM c"],
    ["SELECT ABS(SUM(c.n)) AS n FROM c"],
    ["SELECT VALUE COUNT(1) FROM c ORDER BY c.n"],
    ["SELECT VALUE x FROM (SELECT DISTINCT VALUE c.a FROM c) x"],
    ["SELECT VALUE x FROM (SELECT VALUE y FROM (SELECT TOP 1 VALUE c FROM c) y) x"],
  ])("%s cannot be asked of several partitions", (query) => {
    expect(queryErrorOf(() => planOf(query)).code).toBe("SC2100");
  });
});

const ALL = [{ min: "", max: "FF", isMinInclusive: true, isMaxInclusive: false }];

/** Makes each key a point. */
function points(definition: PartitionKeyDefinition, ...keys: readonly PartitionKey[]) {
  const hashes = keys.map((key) => effectivePartitionKey(key, definition)).sort();
  return hashes.map((hash) => ({ min: hash, max: hash, isMinInclusive: true, isMaxInclusive: true }));
}

/** All keys that begin so. */
function prefix(...key: PartitionKey) {
  const min = effectivePartitionKey(key, TREE);
  return [{ min, max: `${min}FF`, isMinInclusive: true, isMaxInclusive: false }];
}

describe("a query concerns the partitions that its condition on the key allows", () => {
  const rangesOf = (where: string, definition = SIMPLE) =>
    planOf(`SELECT * FROM c WHERE ${where}`, { "@a": "a", "@list": ["a"] }, definition).queryRanges;

  test.each([
    ["c.pk = 'a'", [["a"]]],
    ["'a' = c['pk']", [["a"]]],
    ["c.pk = @a AND c.n > 1", [["a"]]],
    ["c.n > 1 AND (c.x = 1 AND c.pk = @a)", [["a"]]],
    ["c.pk = null", [[null]]],
    ["c.pk = true", [[true]]],
    ["c.pk = -1.5", [[-1.5]]],
    ["c.pk IN ('a', 'b', 'a')", [["a"], ["b"]]],
    ["c.pk = 'a' OR c.pk = 'b'", [["a"], ["b"]]],
    ["(c.pk = 'a' AND c.n = 1) OR c.pk = 5", [["a"], [5]]],
    ["c.pk = 'a' AND c.pk = 'b'", [["a"]]],
  ])("%s leads to its points", (where, keys) => {
    expect(rangesOf(where)).toEqual(points(SIMPLE, ...keys));
  });

  test.each([
    ["c.n = 1"],
    ["c.pk = 'a' OR c.n = 1"],
    ["NOT (c.pk = 'a')"],
    ["c.pk != 'a'"],
    ["c.pk > 'a'"],
    ["c.pk = c.id"],
    ["c.pk = @absent"],
    ["c.pk = @list"],
    ["c.pk = {}"],
    ["c.pk IN ('a', c.id)"],
    ["c.pk.x = 'a'"],
    ["STARTSWITH(c.pk, 'a')"],
    ["true ? c.pk = 'a' : false"],
    [`c.pk IN (${Array.from({ length: 1001 }, (_, n) => n).join()})`],
  ])("%.60s leads everywhere", (where) => {
    expect(rangesOf(where)).toEqual(ALL);
  });

  test("a query without a condition leads everywhere", () => {
    expect(planOf("SELECT VALUE COUNT(1) FROM c").queryRanges).toEqual(ALL);
  });

  test("a key below other properties is found, under whatever name the document has", () => {
    const { queryRanges } = planOf("SELECT * FROM root r WHERE r.a['b c'] = 'x'", {}, NESTED);
    expect(queryRanges).toEqual(points(NESTED, ["x"]));
    expect(planOf("SELECT * FROM t IN c.a WHERE t['b c'] = 'x'", {}, NESTED).queryRanges).toEqual(ALL);
  });

  test.each([
    ["c.tenant = 't' AND c.user = 'u' AND c.device = 1", points(TREE, ["t", "u", 1])],
    ["c.tenant = 't' AND c.user IN ('u', 'v') AND c.device = 1", points(TREE, ["t", "u", 1], ["t", "v", 1])],
    ["c.tenant = 't' AND c.user = 'u'", prefix("t", "u")],
    ["c.user = 'u' AND c.tenant = 't'", prefix("t", "u")],
    ["c.tenant = 't'", prefix("t")],
    ["c.tenant = 't' AND c.device = 1", prefix("t")],
    ["c.user = 'u' AND c.device = 1", ALL],
    ["c.tenant > 't'", ALL],
  ])("of a hierarchical key %s", (where, ranges) => {
    expect(rangesOf(where, TREE)).toEqual(ranges);
  });
});
