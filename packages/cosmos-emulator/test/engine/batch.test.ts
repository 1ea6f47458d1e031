/** Batches (docs/reference/cosmos-protocol.md §1.6). */
import { describe, expect, it } from "vitest";
import type { ItemOperation } from "../../src/engine/index.ts";
import { create, dump, openEngine, read, refusalOf, upsert } from "./support/fixture.ts";

const item = (id: string, n = 0) => ({ id, pk: "a", n });

describe("an atomic batch", () => {
  it("answers every operation in order, each with its own etag, at one position", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create(item("b1", 10)));
    container.execute(["a"], create(item("b2", 20)));
    const before = container.lsnOf("0");
    const batch = container.batch(
      ["a"],
      [
        { kind: "read", id: "b1" },
        upsert(item("b1", 99)),
        { kind: "replace", id: "b2", body: item("b2", 98) },
        { kind: "patch", id: "b2", patch: { operations: [{ op: "set", path: "/n", value: 1 }] } },
        { kind: "delete", id: "b2" },
      ],
      "atomic",
    );
    expect(batch.status).toBe(200);
    expect(batch.results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204]);
    expect(batch.results.map(({ body }) => body && JSON.parse(body).n)).toEqual([10, 99, 98, 1, undefined]);
    const etags = batch.results.flatMap(({ etag }) => etag ?? []);
    expect(new Set(etags).size).toBe(4);
    expect(batch.lsn).toBe(before + 1);
    expect(container.lsnOf("0")).toBe(before + 1);
  });

  it("shows later operations what earlier ones did", () => {
    using fixture = openEngine();
    const { results } = fixture.container.batch(
      ["a"],
      [
        upsert(item("1")),
        { kind: "replace", id: "1", body: item("1", 5) },
        { kind: "patch", id: "1", patch: { operations: [{ op: "incr", path: "/n", value: 2 }] } },
        { kind: "read", id: "1" },
        { kind: "delete", id: "1" },
        create(item("1", 8)),
      ],
      "atomic",
    );
    expect(results.map(({ status }) => status)).toEqual([201, 200, 200, 200, 204, 201]);
    expect(JSON.parse(results[3]?.body ?? "").n).toBe(7);
    expect(read(fixture.container, ["a"], "1")["n"]).toBe(8);
  });

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

  it.each(failing)("leaves nothing behind when it holds %s", (_name, culprit, status) => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create(item("there")));
    const [before, position] = [dump(container), container.lsnOf("0")];
    const batch = container.batch(
      ["a"],
      [
        create(item("new")),
        { kind: "replace", id: "there", body: item("there", 7) },
        culprit,
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

  it("bills what was undone, as recorded: 6.29 for a create and 1.57 for the conflict", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create(item("there")));
    const { results, charge } = container.batch(
      ["a"],
      [create(item("new")), create(item("there")), create(item("late"))],
      "atomic",
    );
    expect(results.map((result) => result.charge.toFixed(2))).toEqual(["6.29", "1.57", "0.00"]);
    expect(charge).toBeCloseTo(7.857, 3);
  });

  it("tells the substatus of its culprit: an item of another partition", () => {
    using fixture = openEngine();
    const batch = fixture.container.batch(["a"], [create(item("1")), create({ id: "2", pk: "b" })], "atomic");
    expect(batch).toMatchObject({ status: 207, substatus: 1001 });
    expect(batch.results.map(({ status }) => status)).toEqual([424, 400]);
  });

  it("is all at once in the change feed", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.batch(["a"], [create(item("1")), create(item("2")), create(item("3"))], "atomic");
    const page = container.changeFeed({ maxItems: 1 });
    expect(page.rows.map((row) => JSON.parse(row).id)).toEqual(["1", "2", "3"]);
  });
});

describe("a batch that is not atomic", () => {
  const operations = [create(item("1")), create(item("there")), create(item("2"))];

  it("keeps what came before its first failure and does not run the rest", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create(item("there")));
    const batch = container.batch(["a"], operations, "stop-at-failure");
    expect(batch.status).toBe(207);
    expect(batch.results.map(({ status }) => status)).toEqual([201, 409, 424]);
    expect(dump(container).map((row) => JSON.parse(row).id)).toEqual(["there", "1"]);
  });

  it("goes on after failures where it is told so", () => {
    using fixture = openEngine();
    const { container } = fixture;
    container.execute(["a"], create(item("there")));
    const batch = container.batch(["a"], operations, "continue");
    expect(batch.results.map(({ status }) => status)).toEqual([201, 409, 201]);
    expect(dump(container).map((row) => JSON.parse(row).id)).toEqual(["there", "1", "2"]);
  });

  it("gives each write a position of its own", () => {
    using fixture = openEngine();
    const { container } = fixture;
    const before = container.lsnOf("0");
    container.batch(["a"], [create(item("1")), create(item("2"))], "continue");
    expect(container.lsnOf("0")).toBe(before + 2);
  });
});

describe("bulk operations", () => {
  it("go to their own partitions, each for itself", () => {
    using fixture = openEngine({}, { physicalPartitions: 4 });
    const { container } = fixture;
    const results = container.bulk([
      { partitionKey: ["a"], operation: create({ id: "1", pk: "a" }) },
      { partitionKey: ["b"], operation: create({ id: "1", pk: "b" }) },
      { partitionKey: ["b"], operation: create({ id: "1", pk: "b" }) },
      { partitionKey: ["c"], operation: create({ id: "1", pk: "other" }) },
      { partitionKey: ["c"], operation: create({ id: "1", pk: "c" }) },
    ]);
    expect(results.map(({ status }) => status)).toEqual([201, 201, 409, 400, 201]);
    expect(results[3]?.substatus).toBe(1001);
    expect(dump(container)).toHaveLength(3);
  });
});

describe("limits of batches", () => {
  it("are 100 operations and at least one", () => {
    using fixture = openEngine();
    const many = Array.from({ length: 101 }, (_, index) => create(item(String(index))));
    expect(refusalOf(() => fixture.container.batch(["a"], many, "atomic")).status).toBe(400);
    expect(refusalOf(() => fixture.container.batch(["a"], [], "atomic")).status).toBe(400);
    expect(fixture.container.batch(["a"], many.slice(1), "atomic").status).toBe(200);
  });
});

describe("a transaction of the engine", () => {
  it("is one position for all writes in it", () => {
    using fixture = openEngine();
    const { container, engine } = fixture;
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

  it("goes on after a batch inside it that failed", () => {
    using fixture = openEngine();
    const { container, engine } = fixture;
    engine.transaction(() => {
      container.execute(["a"], create(item("1")));
      const failed = container.batch(["a"], [create(item("2")), create(item("1"))], "atomic");
      expect(failed.status).toBe(207);
      container.execute(["a"], create(item("3")));
    });
    expect(dump(container).map((row) => JSON.parse(row).id)).toEqual(["1", "3"]);
  });
});
