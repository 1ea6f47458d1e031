/** The order of types and the documents without the property: docs/reference/cosmos-protocol.md §1.8. */
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { queryErrorOf, TestContainer } from "./support/container.ts";

const inOrder: readonly JsonValue[] = [
  null,
  false,
  true,
  -1e300,
  -1,
  0,
  0.5,
  9007199254740992,
  1e300,
  "",
  " ",
  "A",
  "Z",
  "a",
  "a ",
  "aa",
  "é",
  "\uffee",
  "😀",
  [1],
  { a: 1 },
];

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item, at) => ({ item, key: (at * 7919) % 101 }))
    .sort((x, y) => x.key - y.key)
    .map(({ item }) => item);
}

describe("one item", () => {
  const container = new TestContainer([
    ...shuffled(inOrder).map((v, at) => ({ id: `${at}`, v })),
    { id: "none" },
  ]);

  test("values of all types come in the order of types, and documents without the property do not come", () => {
    expect(container.query("SELECT VALUE c.v FROM c ORDER BY c.v")).toEqual(inOrder);
    expect(container.query("SELECT VALUE c.v FROM c ORDER BY c.v ASC")).toEqual(inOrder);
    expect(container.query("SELECT VALUE c.v FROM c ORDER BY c.v DESC")).toEqual(inOrder.toReversed());
  });

  test("the order holds over pages of every size", () => {
    for (const maxItems of [1, 2, 3, 7, 20]) {
      expect(container.query("SELECT VALUE c.v FROM c ORDER BY c.v", {}, { maxItems })).toEqual(inOrder);
      expect(container.query("SELECT VALUE c.v FROM c ORDER BY c.v DESC", {}, { maxItems })).toEqual(
        inOrder.toReversed(),
      );
    }
  });

  test("documents without the property come first if the indexes say so", () => {
    const options = { orderUndefined: true, maxItems: 5 };
    const ids = container.query("SELECT VALUE c.id FROM c ORDER BY c.v", {}, options);
    expect(ids).toHaveLength(inOrder.length + 1);
    expect(ids[0]).toBe("none");
    expect(container.query("SELECT VALUE c.id FROM c ORDER BY c.v DESC", {}, options).at(-1)).toBe("none");
  });

  test("the property itself need not be answered", () => {
    expect(container.query("SELECT TOP 1 c.nope FROM c ORDER BY c.v")).toEqual([{}]);
  });
});

describe("several items", () => {
  const documents = [];
  for (const a of [undefined, null, 1, 2, "x"]) {
    for (const b of [undefined, false, 1, "y"]) {
      documents.push({ id: `${a}/${b}`, ...(a !== undefined && { a }), ...(b !== undefined && { b }) });
    }
  }
  const container = new TestContainer(shuffled(documents));
  const ids = documents.map((document) => document.id);

  test("documents without a property are answered, in the first place", () => {
    expect(container.query("SELECT VALUE c.id FROM c ORDER BY c.a, c.b")).toEqual(ids);
    expect(container.query("SELECT VALUE c.id FROM c ORDER BY c.a DESC, c.b DESC")).toEqual(ids.toReversed());
  });

  test("each has its own direction", () => {
    const mixed = container.query("SELECT VALUE c.id FROM c ORDER BY c.a ASC, c.b DESC");
    const groups = Array.from({ length: 5 }, (_, at) => ids.slice(at * 4, at * 4 + 4).toReversed());
    expect(mixed).toEqual(groups.flat());
  });

  test.each([["c.a, c.b"], ["c.a DESC, c.b"], ["c.a, c.b DESC"], ["c.a DESC, c.b DESC"]])(
    "ORDER BY %s is the same over pages of every size",
    (order) => {
      const query = `SELECT VALUE c.id FROM c ORDER BY ${order}`;
      const all = container.query(query);
      expect(new Set(all).size).toBe(20);
      for (const maxItems of [1, 2, 3, 7]) {
        expect(container.query(query, {}, { maxItems })).toEqual(all);
      }
    },
  );
});

describe("ties", () => {
  const container = new TestContainer(
    Array.from({ length: 9 }, (_, at) => ({ id: `${at}`, v: at % 3, list: [1, 2] })),
  );
  const ids = (query: string, maxItems = 100): JsonValue[] => container.query(query, {}, { maxItems });

  test("come in the order of insertion, in both directions", () => {
    expect(ids("SELECT VALUE c.id FROM c ORDER BY c.v")).toEqual([
      "0",
      "3",
      "6",
      "1",
      "4",
      "7",
      "2",
      "5",
      "8",
    ]);
    expect(ids("SELECT VALUE c.id FROM c ORDER BY c.v DESC")).toEqual([
      "2",
      "5",
      "8",
      "1",
      "4",
      "7",
      "0",
      "3",
      "6",
    ]);
    expect(ids("SELECT VALUE c.id FROM c ORDER BY c.v DESC", 2)).toEqual(
      ids("SELECT VALUE c.id FROM c ORDER BY c.v DESC"),
    );
  });

  test("come in reverse for clients that merge ranges in descending order", () => {
    const rewritten =
      'SELECT c._rid, [{"item": c.v}] AS orderByItems, c.id AS payload FROM c WHERE (true) ORDER BY c.v DESC';
    const payloads = (maxItems: number): unknown[] =>
      ids(rewritten, maxItems).map((row) => (row as { payload: string }).payload);
    expect(payloads(100)).toEqual(["8", "5", "2", "7", "4", "1", "6", "3", "0"]);
    expect(payloads(2)).toEqual(payloads(100));
  });

  test("rows of a join stay in the order of the array", () => {
    const query = "SELECT VALUE [c.id, x] FROM c JOIN x IN c.list WHERE c.v = 0 ORDER BY c.v DESC";
    const expected = ["0", "3", "6"].flatMap((id) => [
      [id, 1],
      [id, 2],
    ]);
    for (const maxItems of [1, 2, 3, 100]) {
      expect(ids(query, maxItems)).toEqual(expected);
    }
  });
});

/** The service sorts by paths of documents only. */
describe("what cannot be sorted by", () => {
  test.each([
    ["SELECT * FROM c ORDER BY c.a + 1", 25, 32],
    ["SELECT * FROM c ORDER BY UPPER(c.a)", 25, 35],
    ["SELECT * FROM c ORDER BY 1", 25, 26],
    ["SELECT * FROM c ORDER BY c", 25, 26],
    ["SELECT c.id FROM c JOIN t IN c.tags ORDER BY t.x", 45, 48],
    ["SELECT * FROM t IN c.tags ORDER BY t.x", 35, 38],
  ])("%s", (query, start, end) => {
    const error = queryErrorOf(() => new TestContainer().query(query));
    expect(error).toMatchObject({ code: "SC2206", location: { start, end } });
    expect(error.message).toContain("could not be mapped to a document path");
  });
});
