/** Databases, containers, offers and stored procedures (docs/reference/cosmos-protocol.md §1.5, §1.13). */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/protocol/json.ts";
import { create, dump, openEngine, refusalOf } from "./support/fixture.ts";

const parsed = (resource: { readonly body: string }): JsonObject => JSON.parse(resource.body);

describe("databases", () => {
  it("are answered with the service's properties", () => {
    using fixture = openEngine();
    const database = parsed(fixture.engine.readDatabase("db"));
    expect(database).toMatchObject({
      id: "db",
      _self: `dbs/${database["_rid"]}/`,
      _colls: "colls/",
      _users: "users/",
    });
    expect(Object.keys(database)).toEqual(["id", "_rid", "_self", "_etag", "_colls", "_users", "_ts"]);
  });

  it("exist once, and are found by name and by rid", () => {
    using fixture = openEngine();
    const { engine } = fixture;
    expect(refusalOf(() => engine.createDatabase({ id: "db" })).status).toBe(409);
    const { rid } = engine.readDatabase("db");
    expect(engine.readDatabase(rid).id).toBe("db");
    expect(refusalOf(() => engine.readDatabase("none"))).toMatchObject({ status: 404, substatus: undefined });
  });

  it("are listed and queried", () => {
    using fixture = openEngine();
    const { engine } = fixture;
    engine.createDatabase({ id: "second" });
    expect(engine.listDatabases().map(({ id }) => id)).toEqual(["db", "second"]);
    const query = "SELECT VALUE root.id FROM root WHERE root.id != @id";
    const page = engine.queryResources("dbs", "", { query, parameters: new Map([["@id", "db"]]) });
    expect(page.rows).toEqual(['"second"']);
  });

  it("take their containers along when they go", () => {
    using fixture = openEngine();
    const { engine, container } = fixture;
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
  it("are answered with the service's defaults", () => {
    using fixture = openEngine();
    const container = parsed(fixture.engine.readContainer("db", "docs"));
    expect(container).toMatchObject({
      id: "docs",
      partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 },
      indexingPolicy: {
        indexingMode: "consistent",
        automatic: true,
        includedPaths: [{ path: "/*" }],
        excludedPaths: [{ path: '/"_etag"/?' }],
      },
      conflictResolutionPolicy: { mode: "LastWriterWins", conflictResolutionPath: "/_ts" },
      geospatialConfig: { type: "Geography" },
      _self: fixture.container.self,
      _docs: "docs/",
      _sprocs: "sprocs/",
      _triggers: "triggers/",
      _udfs: "udfs/",
      _conflicts: "conflicts/",
    });
  });

  it("keep the policies that they were given", () => {
    const indexingPolicy = {
      indexingMode: "consistent",
      automatic: true,
      includedPaths: [{ path: "/*" }],
      excludedPaths: [{ path: "/big/*" }],
      compositeIndexes: [
        [
          { path: "/a", order: "ascending" },
          { path: "/b", order: "descending" },
        ],
      ],
    };
    using fixture = openEngine({ indexingPolicy, defaultTtl: 7 });
    expect(parsed(fixture.engine.readContainer("db", "docs"))).toMatchObject({
      indexingPolicy,
      defaultTtl: 7,
    });
  });

  it("are found by any mixture of names and rids", () => {
    using fixture = openEngine();
    const { engine, container } = fixture;
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

  it("that are absent are 404, and 1003 for what should be in them", () => {
    using fixture = openEngine();
    const { engine } = fixture;
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

  it("take a partition key in short form", () => {
    using fixture = openEngine();
    const { engine } = fixture;
    engine.createContainer("db", { id: "short", partitionKey: "/key" });
    expect(engine.container("db", "short").partitionKey).toEqual({
      paths: ["/key"],
      kind: "Hash",
      version: 2,
    });
  });

  it("keep their items, their rid and their partition key when they are replaced", () => {
    using fixture = openEngine();
    const { engine, container } = fixture;
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const before = parsed(engine.readContainer("db", "docs"));
    const after = parsed(engine.replaceContainer("db", "docs", { ...before, defaultTtl: -1 }));
    expect(after).toMatchObject({ _rid: before["_rid"], defaultTtl: -1 });
    expect(after["_etag"]).not.toBe(before["_etag"]);
    const replaced = fixture.reopened();
    expect(dump(replaced)).toHaveLength(1);
    replaced.execute(["a"], create({ id: "2", pk: "a" }));
    expect(dump(replaced)).toHaveLength(2);
    for (const change of [
      { id: "other" },
      { partitionKey: { paths: ["/other"], kind: "Hash", version: 2 } },
    ]) {
      expect(refusalOf(() => engine.replaceContainer("db", "docs", { ...before, ...change })).status).toBe(
        400,
      );
    }
  });
});

describe("a container whose creation failed", () => {
  it("leaves nothing behind that the next one would meet", () => {
    using fixture = openEngine();
    const { engine } = fixture;
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
  it("can be created again after a query that was not read to its end", () => {
    using fixture = openEngine();
    const { engine } = fixture;
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
  it("belong to containers, 400 units unless told otherwise", () => {
    using fixture = openEngine();
    const { engine, container } = fixture;
    engine.createContainer("db", { id: "large", partitionKey: "/pk" }, { autoscaleMax: 4000 });
    const [first, second] = engine.listOffers().map(parsed);
    expect(first).toMatchObject({
      resource: container.self,
      offerResourceId: container.rid,
      offerVersion: "V2",
      content: { offerThroughput: 400 },
    });
    expect(second).toMatchObject({ content: { offerAutopilotSettings: { maxThroughput: 4000 } } });
  });

  it("are found by the link of their resource", () => {
    using fixture = openEngine();
    const { engine, container } = fixture;
    const query = `SELECT * from root where root.resource = "${container.self}"`;
    const [row = "{}"] = engine.queryResources("offers", "", { query }).rows;
    const offer = JSON.parse(row);
    expect(parsed(engine.readOffer(offer._rid))).toMatchObject({
      id: offer.id,
      content: { offerThroughput: 400 },
    });
  });

  it("of a database are shared by the containers that have none", () => {
    using fixture = openEngine();
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

  it("are kept and given back", () => {
    using fixture = openEngine();
    const { storedProcedures } = fixture.container;
    const created = parsed(storedProcedures.create(script));
    expect(created).toMatchObject({
      ...script,
      _self: `${fixture.container.self}sprocs/${created["_rid"]}/`,
    });
    expect(storedProcedures.read("one").etag).toBe(created["_etag"]);
    expect(storedProcedures.read(String(created["_rid"])).id).toBe("one");
    const replaced = parsed(
      storedProcedures.replace("one", { ...created, body: "function () { return 1 }" }),
    );
    expect(replaced).toMatchObject({ id: "one", body: "function () { return 1 }", _rid: created["_rid"] });
    expect(storedProcedures.list()).toHaveLength(1);
    storedProcedures.remove("one");
    expect(storedProcedures.list()).toEqual([]);
  });

  it("exist once by name", () => {
    using fixture = openEngine();
    const { storedProcedures } = fixture.container;
    storedProcedures.create(script);
    expect(refusalOf(() => storedProcedures.create(script)).status).toBe(409);
    expect(storedProcedures.upsert(script).isNew).toBe(false);
    expect(storedProcedures.upsert({ ...script, id: "two" }).isNew).toBe(true);
  });

  it("are replaced and removed only with the expected etag", () => {
    using fixture = openEngine();
    const { storedProcedures } = fixture.container;
    const { etag } = storedProcedures.create(script);
    expect(refusalOf(() => storedProcedures.replace("one", script, '"x"')).status).toBe(412);
    expect(refusalOf(() => storedProcedures.remove("one", '"x"')).status).toBe(412);
    storedProcedures.remove("one", etag);
    expect(refusalOf(() => storedProcedures.read("one")).status).toBe(404);
  });

  it("need a name and a text, and are limited in number", () => {
    using fixture = openEngine();
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

  it("go with their container", () => {
    using fixture = openEngine();
    const { engine, container } = fixture;
    container.storedProcedures.create(script);
    engine.deleteContainer("db", "docs");
    engine.createContainer("db", { id: "docs", partitionKey: "/pk" });
    expect(engine.container("db", "docs").storedProcedures.list()).toEqual([]);
  });
});
