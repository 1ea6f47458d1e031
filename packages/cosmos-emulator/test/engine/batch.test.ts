/** Batches (docs/reference/cosmos-protocol.md §1.6). */
import { describe, expect, it } from "vitest";
import type { ItemOperation } from "../../src/engine/index.ts";
import { create, dump, onEngine, openEngine, read, upsert } from "./support/fixture.ts";

const item = (id: string, n = 0) => ({ id, pk: "a", n });

describe("an atomic batch", () => {
  const failing: readonly [string, ItemOperation, number][] = [
    ["a create of an item that exists", create(item("there")), 409],
    ["a replace of an absent item", { kind: "replace", id: "x", body: item("x") }, 404],
    ["a delete with a stale etag", { kind: "delete", id: "there", ifMatch: '"stale"' }, 412],
    [
      "a patch that does not fit",
      { kind: "patch", id: "there", patch: { operations: [{ op: "remove", path: "/x" }] } },
      400,
    ],
    ["a read of an absent item", { kind: "read", id: "x" }, 404],
  ];

  it.each(failing)("leaves nothing behind when it holds %s", (_name, refused, status) => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create(item("there")));
    const [before, position] = [dump(container), container.lsnOf("0")];
    const batch = container.batch(
      ["a"],
      [
        create(item("new")),
        { kind: "replace", id: "there", body: item("there", 7) },
        refused,
        create(item("late")),
      ],
      "atomic",
    );
    expect(batch.status).toBe(207);
    expect(batch.results.map((result) => result.status)).toEqual([424, 424, status, 424]);
    expect(batch.results.every(({ body, etag }) => body === undefined && etag === undefined)).toBe(true);
    expect(dump(container)).toEqual(before);
    expect(container.lsnOf("0")).toBe(position);
  });
});

describe("a batch that is not atomic", () => {
  onEngine("gives each write a position of its own", ({ container }) => {
    const before = container.lsnOf("0");
    container.batch(["a"], [create(item("1")), create(item("2"))], "continue");
    expect(container.lsnOf("0")).toBe(before + 2);
  });
});

describe("a transaction of the engine", () => {
  onEngine("is one position for all writes in it", ({ container, engine }) => {
    const before = container.lsnOf("0");
    engine.transaction(() => {
      container.execute(["a"], create(item("1")));
      container.execute(["a"], create(item("2")));
      expect(read(container, ["a"], "1")["id"]).toBe("1");
    });
    expect(container.lsnOf("0")).toBe(before + 1);
  });

  it("leaves nothing behind when it throws, and gives out fresh etags afterwards", () => {
    using fixture = openEngine();
    const { container, engine } = fixture;
    container.execute(["a"], create(item("1")));
    const before = dump(container);
    const fail = (): void => {
      container.execute(["a"], upsert(item("1", 5)));
      container.batch(["a"], [create(item("2"))], "atomic");
      throw new Error("script");
    };
    expect(() => engine.transaction(fail)).toThrow("script");
    expect(dump(container)).toEqual(before);
    container.execute(["a"], upsert(item("1", 6)));
    expect(read(container, ["a"], "1")["n"]).toBe(6);
  });

  onEngine("goes on after a batch inside it that failed", ({ container, engine }) => {
    engine.transaction(() => {
      container.execute(["a"], create(item("1")));
      const failed = container.batch(["a"], [create(item("2")), create(item("1"))], "atomic");
      expect(failed.status).toBe(207);
      container.execute(["a"], create(item("3")));
    });
    expect(dump(container).map((row) => JSON.parse(row).id)).toEqual(["1", "3"]);
    expect(container.usage().items).toBe(2);
  });
});
