/**
 * The paths by which a query filters and sorts: indexes are created for them, and charges are estimated from them.
 */
import { describe, expect, test } from "vitest";
import { parseQuery, pathsOf } from "../../src/sql/index.ts";

const pathsIn = (query: string) => pathsOf(parseQuery(query));

describe("the paths of a filter", () => {
  test.each([
    ["SELECT * FROM c", []],
    ["SELECT c.a FROM c", []],
    ["SELECT * FROM c WHERE c.a = 1", ["/a"]],
    ["SELECT * FROM c WHERE 1 < c.a AND NOT IS_DEFINED(c.b.c)", ["/a", "/b/c"]],
    ["SELECT * FROM c WHERE c.a = c.b OR c.a > 1", ["/a", "/b"]],
    ["SELECT * FROM c WHERE UPPER(c.a) IN (c.b, 'x')", ["/a", "/b"]],
    ["SELECT * FROM c WHERE c.a BETWEEN c.b AND c.d", ["/a", "/b", "/d"]],
    ["SELECT * FROM c WHERE c.a LIKE 'x%'", ["/a"]],
    ["SELECT * FROM c WHERE (c.a ? c.b : c.d) ?? true", ["/a", "/b", "/d"]],
    ["SELECT * FROM c WHERE ARRAY_CONTAINS([c.a, {x: c.b}], 1)", ["/a", "/b"]],
    ["SELECT * FROM c WHERE ARRAY_CONTAINS(c.list, @one)", ["/list/[]"]],
    ["SELECT * FROM c WHERE ARRAY_CONTAINS(c.list, c.a)", ["/list", "/a"]],
    ["SELECT * FROM c WHERE ARRAY_CONTAINS(c.list, {a: 1}, true)", ["/list"]],
    ["SELECT * FROM c WHERE c['k v'].b = 1", ['/"k v"/b']],
    [`SELECT * FROM c WHERE c["a\\"b"] = 1`, ['/"a\\"b"']],
    ["SELECT * FROM c WHERE c.list[0].a = 1", ["/list/[]/a"]],
    ["SELECT * FROM c WHERE c = 1", [""]],
  ])("%s", (query, filter) => {
    expect(pathsIn(query).filter).toEqual(filter);
  });

  test.each([
    ["SELECT * FROM root AS r WHERE r.a = 1", ["/a"]],
    ["SELECT * FROM c.a.b x WHERE x.d = 1", ["/a/b/d"]],
    ["SELECT * FROM c.a.b WHERE b.d = 1", ["/a/b/d"]],
    ["SELECT * FROM x IN c.list WHERE x.d = 1", ["/list/[]/d"]],
    ["SELECT c.id FROM c JOIN x IN c.list JOIN y IN x.more WHERE y = 1", ["/list/[]/more/[]"]],
    [
      "SELECT c.id FROM c WHERE EXISTS (SELECT VALUE x FROM x IN c.list WHERE x.a = c.b)",
      ["/list/[]/a", "/b"],
    ],
    ["SELECT c.id FROM c JOIN (SELECT VALUE x FROM x IN c.list WHERE x.a > 1) y", ["/list/[]/a"]],
    ["SELECT VALUE d FROM (SELECT VALUE c FROM c WHERE c.a = 1) d WHERE d.b = 1", ["/a"]],
    ["SELECT VALUE d FROM (SELECT VALUE e FROM (SELECT VALUE c FROM c WHERE c.a = 1) e) d", ["/a"]],
  ])("names stand for paths: %s", (query, filter) => {
    expect(pathsIn(query).filter).toEqual(filter);
  });

  test("a step that is not known beforehand leaves the path out, and its own path in", () => {
    expect(pathsIn("SELECT * FROM c WHERE c.a[@name] = 1").filter).toEqual(["/a"]);
    expect(pathsIn("SELECT * FROM c WHERE c.a[c.b] = 1").filter).toEqual(["/a", "/b"]);
  });
});

describe("paths that must equal a constant", () => {
  test.each([
    ["c.a = 1", ["/a"]],
    ["1 = c.a", ["/a"]],
    ["c.a = @p", ["/a"]],
    ["c.a = 1 AND (c.b = 'x' AND c.d > 1)", ["/a", "/b"]],
    ["c.a = 1 OR c.b = 1", []],
    ["NOT (c.a = 1)", []],
    ["c.a = c.b", []],
    ["c.a != 1", []],
    ["c.a IN (1)", []],
  ])("%s", (condition, equality) => {
    expect(pathsIn(`SELECT * FROM c WHERE ${condition}`).equality).toEqual(equality);
  });
});

test("the paths of an order have directions, and stay in order", () => {
  const { orderBy } = pathsIn("SELECT * FROM c AS r WHERE r.z = 1 ORDER BY r.b DESC, r.a.d, r['k v'] ASC");
  expect(orderBy).toEqual([
    { path: "/b", descending: true },
    { path: "/a/d", descending: false },
    { path: '/"k v"', descending: false },
  ]);
});
