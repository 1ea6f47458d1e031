/** Databases, containers, offers and stored procedures (docs/reference/cosmos-protocol.md §1.5, §1.13). */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import { create, dump, onEngine, openEngine, refusalOf } from "./support/fixture.ts";

const parsed = (resource: { readonly body: string }): JsonObject => JSON.parse(resource.body);

describe("databases", () => {
  onEngine("exist once, and are found by name and by rid", ({ engine }) => {
    expect(refusalOf(() => engine.createDatabase({ id: "db" })).status).toBe(409);
    const { rid } = engine.readDatabase("db");
    expect(engine.readDatabase(rid).id).toBe("db");
    expect(refusalOf(() => engine.readDatabase("none"))).toMatchObject({ status: 404, substatus: undefined });
  });

  onEngine("take their containers along when they go", ({ engine, container }) => {
    container.execute(["a"], create({ id: "1", pk: "a" }));
    engine.deleteDatabase("db");
    expect(engine.listDatabases()).toEqual([]);
    expect(engine.listOffers()).toEqual([]);
    expect(refusalOf(() => engine.container("db", "docs"))).toMatchObject({ status: 404, substatus: 1003 });
    engine.createDatabase({ id: "db" });
    engine.createContainer("db", { id: "docs", partitionKey: { paths: ["/pk"] } });
    expect(dump(engine.container("db", "docs"))).toEqual([]);
    expect(engine.container("db", "docs").rid).not.toBe(container.rid);
  });
});

describe("containers", () => {
  onEngine("are found by any mixture of names and rids", ({ engine, container }) => {
    const { rid } = engine.readDatabase("db");
    for (const [database, id] of [
      ["db", container.rid],
      [rid, "docs"],
      [rid, container.rid],
    ] as const) {
      expect(engine.container(database, id).rid).toBe(container.rid);
      expect(engine.readContainer(database, id).id).toBe("docs");
    }
  });

  onEngine("that are absent are 404, and 1003 for what should be in them", ({ engine }) => {
    expect(refusalOf(() => engine.readContainer("db", "x"))).toMatchObject({
      status: 404,
      substatus: undefined,
    });
    expect(refusalOf(() => engine.readContainer("x", "x"))).toMatchObject({ status: 404, substatus: 1003 });
    expect(refusalOf(() => engine.container("db", "x"))).toMatchObject({ status: 404, substatus: 1003 });
    expect(refusalOf(() => engine.createContainer("x", { id: "c" }))).toMatchObject({
      status: 404,
      substatus: 1003,
    });
    expect(refusalOf(() => engine.createContainer("db", { id: "docs", partitionKey: "/pk" })).status).toBe(
      409,
    );
  });

  it.each([
    { id: "a/b" },
    { id: 1 },
    {},
    { id: "c", partitionKey: null },
    { id: "c", partitionKey: {} },
    { id: "c", partitionKey: { paths: [] } },
    { id: "c", partitionKey: { paths: ["pk"] } },
    { id: "c", partitionKey: { paths: ["/a", "/b"] } },
    { id: "c", partitionKey: { paths: ["/a", "/b", "/c", "/d"], kind: "MultiHash", version: 2 } },
    { id: "c", partitionKey: { paths: ["/a"], kind: "Range" } },
    { id: "c", partitionKey: { paths: ["/a"], version: 3 } },
    { id: "c", indexingPolicy: { indexingMode: "never" } },
    { id: "c", indexingPolicy: { includedPaths: [{ path: "/a/?" }] } },
    { id: "c", indexingPolicy: { includedPaths: [{ path: "/*" }, { path: "/a" }] } },
    { id: "c", indexingPolicy: { includedPaths: [{ path: "/*" }], compositeIndexes: [[{ path: "/a" }]] } },
  ] as JsonObject[])("are refused with the definition %j", (definition) => {
    using fixture = openEngine();
    const whole = { partitionKey: "/pk", ...definition };
    expect(refusalOf(() => fixture.engine.createContainer("db", whole)).status).toBe(400);
    expect(fixture.engine.listContainers("db")).toHaveLength(1);
  });

  onEngine("take a partition key in short form", ({ engine }) => {
    engine.createContainer("db", { id: "short", partitionKey: "/key" });
    expect(engine.container("db", "short").partitionKey).toEqual({
      paths: ["/key"],
      kind: "Hash",
      version: 2,
    });
  });
});

describe("a container whose creation failed", () => {
  onEngine("leaves nothing behind that the next one would meet", ({ engine }) => {
    const refusal = refusalOf(() =>
      engine.createContainer("db", { id: "c", partitionKey: "/x" }, { manual: 401 }),
    );
    expect(refusal.status).toBe(400);
    engine.createContainer("db", { id: "c", partitionKey: "/y" });
    const container = engine.container("db", "c");
    expect(container.execute(["v"], create({ id: "1", y: "v" })).status).toBe(201);
  });
});

describe("a deleted container", () => {
  onEngine("can be created again after a query that was not read to its end", ({ engine }) => {
    for (let round = 0; round < 3; round++) {
      const container = engine.container("db", "docs");
      for (const id of ["1", "2", "3"]) container.execute(["a"], create({ id, pk: "a" }));
      expect(container.query({ query: "SELECT * FROM c", maxItems: 1 }).rows).toHaveLength(1);
      engine.deleteContainer("db", "docs");
      engine.createContainer("db", { id: "docs", partitionKey: { paths: ["/pk"] } });
    }
    expect(dump(engine.container("db", "docs"))).toEqual([]);
  });
});

describe("offers", () => {
  onEngine("of a database are shared by the containers that have none", (fixture) => {
    const { engine } = fixture;
    engine.createDatabase({ id: "shared" }, { manual: 800 });
    engine.createContainer("shared", { id: "c", partitionKey: "/pk" });
    const offers = engine.listOffers().map(parsed);
    expect(offers.map(({ offerResourceId }) => offerResourceId)).toEqual([
      fixture.container.rid,
      engine.readDatabase("shared").rid,
    ]);
  });
});

describe("stored procedures", () => {
  const script = { id: "one", body: "function () {}" };

  onEngine("exist once by name", (fixture) => {
    const { storedProcedures } = fixture.container;
    storedProcedures.create(script);
    expect(refusalOf(() => storedProcedures.create(script)).status).toBe(409);
    expect(storedProcedures.upsert(script).isNew).toBe(false);
    expect(storedProcedures.upsert({ ...script, id: "two" }).isNew).toBe(true);
  });

  onEngine("are replaced and removed only with the expected etag", (fixture) => {
    const { storedProcedures } = fixture.container;
    const { etag } = storedProcedures.create(script);
    expect(refusalOf(() => storedProcedures.replace("one", script, '"x"')).status).toBe(412);
    expect(refusalOf(() => storedProcedures.remove("one", '"x"')).status).toBe(412);
    storedProcedures.remove("one", etag);
    expect(refusalOf(() => storedProcedures.read("one")).status).toBe(404);
  });

  onEngine("need a name and a text, and are limited in number", (fixture) => {
    const { storedProcedures } = fixture.container;
    for (const body of [
      {},
      { id: "x" },
      { id: "x", body: 1 },
      { id: "x", body: " " },
      { id: "a/b", body: "f" },
    ]) {
      expect(refusalOf(() => storedProcedures.create(body)).status).toBe(400);
    }
    for (let index = 0; index < 100; index++) storedProcedures.create({ ...script, id: `f${index}` });
    expect(refusalOf(() => storedProcedures.create({ ...script, id: "more" })).status).toBe(400);
  });

  onEngine("go with their container", ({ engine, container }) => {
    container.storedProcedures.create(script);
    engine.deleteContainer("db", "docs");
    engine.createContainer("db", { id: "docs", partitionKey: "/pk" });
    expect(engine.container("db", "docs").storedProcedures.list()).toEqual([]);
  });
});
