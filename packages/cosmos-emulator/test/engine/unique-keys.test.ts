/** Unique keys (docs/reference/cosmos-protocol.md §1.15). */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import { create, openEngine, refusalOf } from "./support/fixture.ts";

const unique = (...keys: readonly (readonly string[])[]): JsonObject => ({
  uniqueKeyPolicy: { uniqueKeys: keys.map((paths) => ({ paths })) },
});

describe("a unique key", () => {
  it("tells values of different types apart", () => {
    using fixture = openEngine(unique(["/email"]));
    const { container } = fixture;
    for (const [index, email] of [1, "1", true, "true", [1], { a: 1 }].entries()) {
      expect(container.execute(["a"], create({ id: String(index), pk: "a", email })).status).toBe(201);
    }
    expect(refusalOf(() => container.execute(["a"], create({ id: "x", pk: "a", email: 1.0 }))).status).toBe(
      409,
    );
  });

  it("may consist of several paths, quoted ones too", () => {
    using fixture = openEngine(unique(["/a/b", '/"it\'s"']));
    const { container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a", a: { b: 1 }, "it's": 1 }));
    container.execute(["a"], create({ id: "2", pk: "a", a: { b: 1 }, "it's": 2 }));
    const same = create({ id: "3", pk: "a", a: { b: 1, c: 1 }, "it's": 2 });
    expect(refusalOf(() => container.execute(["a"], same)).status).toBe(409);
  });

  it("may be given to another item once its holder is gone, expired ones included", () => {
    using fixture = openEngine({ ...unique(["/email"]), defaultTtl: -1 });
    const { container, clock } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a", email: "x" }));
    container.execute(["a"], { kind: "delete", id: "1" });
    container.execute(["a"], create({ id: "2", pk: "a", email: "x", ttl: 5 }));
    clock.nowMs += 6000;
    expect(container.execute(["a"], create({ id: "3", pk: "a", email: "x" })).status).toBe(201);
  });
});

describe("a definition", () => {
  it.each([
    ["more than 10 unique keys", unique(...Array.from({ length: 11 }, (_, index) => [`/p${index}`]))],
    ["more than 16 paths", unique(Array.from({ length: 17 }, (_, index) => `/p${index}`))],
    ["a key without paths", unique([])],
    ["a malformed path", unique(["email"])],
    ["something else", { uniqueKeyPolicy: [] }],
  ])("with %s is refused", (_name, definition) => {
    expect(refusalOf(() => openEngine(definition)).status).toBe(400);
  });
});
