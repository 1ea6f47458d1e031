/** Patches (docs/reference/cosmos-protocol.md §1.5). */
import { describe, expect, it } from "vitest";
import { parsePatch } from "../../src/engine/index.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import { parseDocument, parseJson } from "../../src/protocol/json-text.ts";
import { bodyOf, create, dump, type Fixture, onEngine, openEngine, refusalOf } from "./support/fixture.ts";

const STORED = '{"id":"1","pk":"a","n":1,"list":["a","b"],"deep":{"x":{"y":true}},"text":"t","none":null}';

function withItem(): Fixture {
  const fixture = openEngine();
  fixture.container.execute(["a"], { kind: "create", body: STORED });
  return fixture;
}

function patched(fixture: Fixture, patch: JsonValue): JsonObject {
  return bodyOf(fixture.container.execute(["a"], { kind: "patch", id: "1", patch: parsePatch(patch) }));
}

/** The status with which the operations are refused; the item must be untouched. */
function refused(...operations: readonly JsonObject[]): number {
  using fixture = withItem();
  const before = dump(fixture.container);
  const { status } = refusalOf(() => patched(fixture, operations));
  expect(dump(fixture.container)).toEqual(before);
  return status;
}

describe("incr", () => {
  onEngine("is exact for integers of 64 bits", ({ container }) => {
    container.execute(["a"], { kind: "create", body: '{"id":"1","pk":"a","n":9007199254740993}' });
    const patch = parsePatch(parseJson('[{"op":"incr","path":"/n","value":9007199254740993}]'));
    expect(container.execute(["a"], { kind: "patch", id: "1", patch }).body).toContain(
      '"n":18014398509481986,',
    );
  });
});

describe("move", () => {
  it("needs a target outside of its source", () => {
    expect(refused({ op: "move", from: "/deep", path: "/deep/x/z" })).toBe(400);
  });
});

describe("a patch", () => {
  it("never changes the values of its own request", () => {
    using fixture = withItem();
    const value = { n: 1 };
    patched(fixture, [
      { op: "set", path: "/box", value },
      { op: "incr", path: "/box/n", value: 1 },
    ]);
    expect(value).toEqual({ n: 1 });
  });

  it("may name a property __proto__", () => {
    using fixture = withItem();
    const patch = parsePatch([{ op: "set", path: "/__proto__", value: { polluted: true } }]);
    const { body = "" } = fixture.container.execute(["a"], { kind: "patch", id: "1", patch });
    expect(body).toContain('"__proto__":{"polluted":true}');
    expect(Object.hasOwn(parseDocument(body), "polluted")).toBe(false);
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
});

describe("the body of a patch", () => {
  it.each([
    null,
    1,
    { operations: "x" },
    { operations: [1] },
    { operations: [{ op: "move", path: "/a" }] },
    { condition: 1, operations: [{ op: "set", path: "/a", value: 1 }] },
  ] as JsonValue[])("%j is refused", (body) => {
    expect(refusalOf(() => parsePatch(body)).status).toBe(400);
  });

  it.each(["a", "", "/", "a/b"])("with the path %j is refused", (path) => {
    expect(refused({ op: "set", path, value: 1 })).toBe(400);
  });
});
