/** Patches (docs/reference/cosmos-protocol.md §1.5). */
import { describe, expect, it } from "vitest";
import { parsePatch } from "../../src/engine/index.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import { parseDocument, parseJson } from "../../src/protocol/json-text.ts";
import { bodyOf, create, dump, type Fixture, openEngine, refusalOf } from "./support/fixture.ts";

const STORED = '{"id":"1","pk":"a","n":1,"list":["a","b"],"deep":{"x":{"y":true}},"text":"t","none":null}';

function withItem(): Fixture {
  const fixture = openEngine();
  fixture.container.execute(["a"], { kind: "create", body: STORED });
  return fixture;
}

function patched(fixture: Fixture, patch: JsonValue): JsonObject {
  return bodyOf(fixture.container.execute(["a"], { kind: "patch", id: "1", patch: parsePatch(patch) }));
}

/** The user's properties after the operations. */
function after(...operations: readonly JsonObject[]): JsonObject {
  using fixture = withItem();
  const { _rid, _self, _etag, _attachments, _ts, ...own } = patched(fixture, operations);
  return own;
}

/** The status with which the operations are refused; the item must be untouched. */
function refused(...operations: readonly JsonObject[]): number {
  using fixture = withItem();
  const before = dump(fixture.container);
  const { status } = refusalOf(() => patched(fixture, operations));
  expect(dump(fixture.container)).toEqual(before);
  return status;
}

describe("add", () => {
  it("sets a property, new or not", () => {
    expect(after({ op: "add", path: "/new", value: { a: 1 } })["new"]).toEqual({ a: 1 });
    expect(after({ op: "add", path: "/n", value: 2 })["n"]).toBe(2);
    expect(after({ op: "add", path: "/deep/x/z", value: null })["deep"]).toEqual({ x: { y: true, z: null } });
  });

  it("inserts into a list, and appends at its end", () => {
    expect(after({ op: "add", path: "/list/0", value: "x" })["list"]).toEqual(["x", "a", "b"]);
    expect(after({ op: "add", path: "/list/2", value: "x" })["list"]).toEqual(["a", "b", "x"]);
    expect(after({ op: "add", path: "/list/-", value: "x" })["list"]).toEqual(["a", "b", "x"]);
  });

  it("needs something that holds the path, and an index within the list", () => {
    expect(refused({ op: "add", path: "/absent/x", value: 1 })).toBe(400);
    expect(refused({ op: "add", path: "/text/x", value: 1 })).toBe(400);
    expect(refused({ op: "add", path: "/none/x", value: 1 })).toBe(400);
    expect(refused({ op: "add", path: "/list/3", value: 1 })).toBe(400);
    expect(refused({ op: "add", path: "/list/x", value: 1 })).toBe(400);
    expect(refused({ op: "add", path: "/list/01", value: 1 })).toBe(400);
  });
});

describe("set", () => {
  it("creates or overwrites a property", () => {
    expect(after({ op: "set", path: "/new", value: 1 })["new"]).toBe(1);
    expect(after({ op: "set", path: "/deep", value: 1 })["deep"]).toBe(1);
  });

  it("overwrites an element of a list", () => {
    expect(after({ op: "set", path: "/list/0", value: "x" })["list"]).toEqual(["x", "b"]);
    expect(after({ op: "set", path: "/list/-", value: "x" })["list"]).toEqual(["a", "b", "x"]);
    expect(refused({ op: "set", path: "/list/3", value: 1 })).toBe(400);
  });
});

describe("replace", () => {
  it("needs its target", () => {
    expect(after({ op: "replace", path: "/none", value: 1 })["none"]).toBe(1);
    expect(after({ op: "replace", path: "/list/1", value: "x" })["list"]).toEqual(["a", "x"]);
    expect(refused({ op: "replace", path: "/absent", value: 1 })).toBe(400);
    expect(refused({ op: "replace", path: "/list/2", value: 1 })).toBe(400);
  });
});

describe("remove", () => {
  it("takes a property or an element away", () => {
    expect(after({ op: "remove", path: "/n" })).not.toHaveProperty("n");
    expect(after({ op: "remove", path: "/list/0" })["list"]).toEqual(["b"]);
    expect(refused({ op: "remove", path: "/absent" })).toBe(400);
    expect(refused({ op: "remove", path: "/toString" })).toBe(400);
  });

  it("beyond the end of a list does nothing, as on the service", () => {
    expect(after({ op: "remove", path: "/list/99" })["list"]).toEqual(["a", "b"]);
  });
});

describe("incr", () => {
  it("adds to a number, or creates it", () => {
    expect(after({ op: "incr", path: "/n", value: 2.5 })["n"]).toBe(3.5);
    expect(after({ op: "incr", path: "/n", value: -1 })["n"]).toBe(0);
    expect(after({ op: "incr", path: "/new", value: 7 })["new"]).toBe(7);
  });

  it("needs numbers", () => {
    expect(refused({ op: "incr", path: "/text", value: 1 })).toBe(400);
    expect(refused({ op: "incr", path: "/none", value: 1 })).toBe(400);
    expect(refused({ op: "incr", path: "/n", value: "1" })).toBe(400);
  });

  it("takes a text of digits for a text", () => {
    using fixture = withItem();
    patched(fixture, [{ op: "set", path: "/text", value: "1" }]);
    expect(refusalOf(() => patched(fixture, [{ op: "incr", path: "/text", value: 1 }])).status).toBe(400);
  });

  it("is exact for integers of 64 bits", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], { kind: "create", body: '{"id":"1","pk":"a","n":9007199254740993}' });
    const patch = parsePatch(parseJson('[{"op":"incr","path":"/n","value":9007199254740993}]'));
    expect(container.execute(["a"], { kind: "patch", id: "1", patch }).body).toContain(
      '"n":18014398509481986,',
    );
  });
});

describe("move", () => {
  it("takes a value to another place", () => {
    const moved = after({ op: "move", from: "/deep/x", path: "/moved" });
    expect(moved).toMatchObject({ deep: {}, moved: { y: true } });
    expect(after({ op: "move", from: "/n", path: "/list/0" })["list"]).toEqual([1, "a", "b"]);
    expect(after({ op: "move", from: "/list/0", path: "/list/1" })["list"]).toEqual(["b", "a"]);
    expect(after({ op: "move", from: "/n", path: "/n" })["n"]).toBe(1);
  });

  it("needs a source, and a target outside of it", () => {
    expect(refused({ op: "move", from: "/absent", path: "/n" })).toBe(400);
    expect(refused({ op: "move", from: "/deep", path: "/deep/x/z" })).toBe(400);
  });
});

describe("a patch", () => {
  it("applies its operations in order, and all or none", () => {
    expect(
      after(
        { op: "set", path: "/box", value: {} },
        { op: "incr", path: "/box/n", value: 1 },
        { op: "incr", path: "/box/n", value: 1 },
        { op: "move", from: "/box/n", path: "/m" },
      ),
    ).toMatchObject({ box: {}, m: 2 });
    expect(refused({ op: "set", path: "/n", value: 5 }, { op: "remove", path: "/absent" })).toBe(400);
  });

  it("never changes the values of its own request", () => {
    using fixture = withItem();
    const value = { n: 1 };
    patched(fixture, [
      { op: "set", path: "/box", value },
      { op: "incr", path: "/box/n", value: 1 },
    ]);
    expect(value).toEqual({ n: 1 });
  });

  it("keeps names with slashes and tildes apart by their escapes", () => {
    expect(after({ op: "set", path: "/a~1b~0c", value: 1 })["a/b~c"]).toBe(1);
  });

  it("may name a property __proto__", () => {
    using fixture = withItem();
    const patch = parsePatch([{ op: "set", path: "/__proto__", value: { polluted: true } }]);
    const { body = "" } = fixture.container.execute(["a"], { kind: "patch", id: "1", patch });
    expect(body).toContain('"__proto__":{"polluted":true}');
    expect(Object.hasOwn(parseDocument(body), "polluted")).toBe(false);
  });

  it.each(["/id", "/pk", "/_ts", "/_etag", "/_rid", "/_self", "/_etag/x"])("must not touch %s", (path) => {
    expect(refused({ op: "set", path, value: "x" })).toBe(400);
    expect(refused({ op: "remove", path })).toBe(400);
    expect(refused({ op: "move", from: path, path: "/other" })).toBe(400);
  });

  it("must not touch what holds the partition key", () => {
    using fixture = openEngine({ partitionKey: { paths: ["/a/b"], kind: "Hash", version: 2 } });
    const { container } = fixture;
    container.execute(["k"], create({ id: "1", a: { b: "k", c: 1 } }));
    const patch = (operation: JsonObject) =>
      container.execute(["k"], { kind: "patch", id: "1", patch: parsePatch([operation]) });
    expect(refusalOf(() => patch({ op: "set", path: "/a", value: { b: "other" } })).status).toBe(400);
    expect(refusalOf(() => patch({ op: "remove", path: "/a" })).status).toBe(400);
    expect(patch({ op: "set", path: "/a/c", value: 2 }).status).toBe(200);
  });

  it("sets the timestamp and another etag", () => {
    using fixture = withItem();
    const before = bodyOf(fixture.container.execute(["a"], { kind: "read", id: "1" }));
    fixture.clock.nowMs += 3000;
    const result = patched(fixture, [{ op: "set", path: "/ttl", value: 5 }]);
    expect(result["_ts"]).toBe(Number(before["_ts"]) + 3);
    expect(result["_etag"]).not.toBe(before["_etag"]);
    expect(Object.keys(result).at(-1)).toBe("_ts");
  });

  it("must not nest more deeply than a document may", () => {
    using fixture = withItem();
    const nested = JSON.parse(`${"[".repeat(120)}${"]".repeat(120)}`);
    patched(fixture, [{ op: "set", path: "/deep", value: nested }]);
    const steps = "/0".repeat(119);
    const refusal = refusalOf(() =>
      patched(fixture, [{ op: "add", path: `/deep${steps}/-`, value: nested }]),
    );
    expect(refusal.status).toBe(400);
  });
});

describe("a condition", () => {
  const operations = [{ op: "incr", path: "/n", value: 1 }];

  it.each([
    "from c where c.n = 1",
    "FROM items WHERE items.n < 2 AND IS_DEFINED(items.list)",
    "where c.text = 't'",
    "c.deep.x.y",
  ])("that is true lets the patch through: %s", (condition) => {
    using fixture = withItem();
    expect(patched(fixture, { condition, operations })["n"]).toBe(2);
  });

  it.each(["from c where c.n = 2", "where NOT IS_DEFINED(c.n)", "from c where c.absent > 1"])(
    "that is not true is 412 and changes nothing: %s",
    (condition) => {
      using fixture = withItem();
      const before = dump(fixture.container);
      const refusal = refusalOf(() => patched(fixture, { condition, operations }));
      expect(refusal.status).toBe(412);
      expect(refusal.charge).toBeCloseTo(1.24);
      expect(dump(fixture.container)).toEqual(before);
    },
  );

  it("that is none is 400", () => {
    using fixture = withItem();
    expect(refusalOf(() => patched(fixture, { condition: "from where", operations })).status).toBe(400);
  });
});

describe("the body of a patch", () => {
  it.each([
    null,
    1,
    {},
    [],
    { operations: [] },
    { operations: "x" },
    { operations: [1] },
    { operations: [{ op: "set", path: "/a" }] },
    { operations: [{ op: "jump", path: "/a", value: 1 }] },
    { operations: [{ op: "move", path: "/a" }] },
    { operations: [{ op: "set", value: 1 }] },
    { condition: 1, operations: [{ op: "set", path: "/a", value: 1 }] },
    Array.from({ length: 11 }, () => ({ op: "set", path: "/a", value: 1 })),
  ] as JsonValue[])("%j is refused", (body) => {
    expect(refusalOf(() => parsePatch(body)).status).toBe(400);
  });

  it.each(["a", "", "/", "a/b"])("with the path %j is refused", (path) => {
    expect(refused({ op: "set", path, value: 1 })).toBe(400);
  });

  it("may have ten operations", () => {
    const operations = Array.from({ length: 10 }, () => ({ op: "incr", path: "/n", value: 1 }));
    expect(after(...operations)["n"]).toBe(11);
  });
});
