import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf } from "./support/fixture.ts";
import type { RawRequest, RawResponse } from "./support/raw-client.ts";

const COLLS = { link: "dbs/db", feed: "colls" };

function createContainer(
  fixture: Fixture,
  body: object,
  headers: RawRequest["headers"] = {},
): Promise<RawResponse> {
  const definition = { partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 }, ...body };
  return fixture.client.signed("POST", COLLS, { body: JSON.stringify(definition), headers });
}

describe("a database", () => {
  it("is created once, read, listed and deleted with all that it holds", async () => {
    await using fixture = await Fixture.start();
    const { client } = fixture;
    const again = await client.signed("POST", { link: "", feed: "dbs" }, { body: '{"id":"db"}' });
    expect([again.status, again.json.code]).toEqual([409, "Conflict"]);
    const read = await client.signed("GET", { link: "dbs/db" });
    expect(read.json).toMatchObject({ id: "db", _self: `dbs/${read.json._rid}/`, _etag: read.headers.etag });
    expect((await client.signed("GET", { link: "", feed: "dbs" })).json).toMatchObject({
      _count: 1,
      _rid: "",
    });
    expect((await client.signed("DELETE", { link: "dbs/db" })).status).toBe(204);
    expect((await client.signed("GET", { link: "dbs/db" })).status).toBe(404);
    const orphan = await client.signed("GET", { link: CONTAINER });
    expect([orphan.status, orphan.headers["x-ms-substatus"]]).toEqual([404, "1003"]);
  });

  it("is not sent again to a client that has its version", async () => {
    await using fixture = await Fixture.start();
    const { headers } = await fixture.client.signed("GET", { link: "dbs/db" });
    const known = { headers: { "if-none-match": headers.etag } };
    expect((await fixture.client.signed("GET", { link: "dbs/db" }, known)).status).toBe(304);
  });
});

describe("a container", () => {
  it("is answered with the service's defaults", async () => {
    await using fixture = await Fixture.start();
    const { status, json, headers } = await createContainer(fixture, { id: "new" });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      id: "new",
      indexingPolicy: { indexingMode: "consistent", automatic: true },
      conflictResolutionPolicy: { mode: "LastWriterWins", conflictResolutionPath: "/_ts" },
      _docs: "docs/",
    });
    expect([headers.etag, headers["x-ms-content-path"]]).toEqual([json._etag, json._rid]);
    const read = await fixture.client.signed("GET", { link: "dbs/db/colls/new" });
    expect([read.json, read.headers["x-ms-request-charge"]]).toEqual([json, "2"]);
  });

  it("is replaced, but for what is fixed at its creation", async () => {
    await using fixture = await Fixture.start();
    const { json } = await createContainer(fixture, { id: "new" });
    const put = (change: object): Promise<RawResponse> =>
      fixture.client.signed(
        "PUT",
        { link: "dbs/db/colls/new" },
        { body: JSON.stringify({ ...json, ...change }) },
      );
    expect((await put({ defaultTtl: 60 })).json.defaultTtl).toBe(60);
    expect((await put({ partitionKey: { paths: ["/other"], kind: "Hash", version: 2 } })).status).toBe(400);
    expect((await put({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/a"] }] } })).status).toBe(403);
  });

  it("tells its quota and its usage if asked to", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "a", pk: "p", text: "x".repeat(3_000) });
    const plain = await fixture.client.signed("GET", { link: CONTAINER });
    expect(plain.headers["x-ms-resource-quota"]).toBeUndefined();
    const asked = { headers: { "x-ms-documentdb-populatequotainfo": "True" } };
    const { headers } = await fixture.client.signed("GET", { link: CONTAINER }, asked);
    expect(headers["x-ms-resource-quota"]).toContain("documentsCount=-1;");
    expect(headers["x-ms-resource-usage"]).toBe(
      "documentSize=0;documentsSize=4;documentsCount=1;collectionSize=4;",
    );
  });

  it("has the throughput that its headers name", async () => {
    await using fixture = await Fixture.start();
    const offerOf = async ({ json }: RawResponse) => {
      const { json: feed } = await fixture.client.signed("GET", { link: "", feed: "offers" });
      return feed.Offers.find((offer: { offerResourceId: string }) => offer.offerResourceId === json._rid)
        .content;
    };
    const manual = await createContainer(fixture, { id: "manual" }, { "x-ms-offer-throughput": "700" });
    expect((await offerOf(manual)).offerThroughput).toBe(700);
    const header = { "x-ms-cosmos-offer-autopilot-settings": '{"maxThroughput":4000}' };
    const autoscale = await createContainer(fixture, { id: "autoscale" }, header);
    expect((await offerOf(autoscale)).offerAutopilotSettings).toEqual({ maxThroughput: 4000 });
    for (const [id, headers] of [
      ["both", { ...header, "x-ms-offer-throughput": "700" }],
      ["few", { "x-ms-offer-throughput": "7" }],
      ["word", { "x-ms-offer-throughput": "much" }],
      ["form", { "x-ms-cosmos-offer-autopilot-settings": "4000" }],
    ] as const) {
      expect((await createContainer(fixture, { id }, headers)).status, id).toBe(400);
    }
  });

  it("that was deleted and made anew is not the one that a caller means by its _rid", async () => {
    await using fixture = await Fixture.start();
    const { json } = await fixture.client.signed("GET", { link: CONTAINER });
    await fixture.create({ id: "a", pk: "p" });
    const meant = { "x-ms-cosmos-intended-collection-rid": json._rid };
    expect((await fixture.item("GET", "p", "a", { headers: meant })).status).toBe(200);
    await fixture.client.signed("DELETE", { link: CONTAINER });
    await createContainer(fixture, { id: "items" });
    const { status, headers } = await fixture.item("GET", "p", "a", { headers: meant });
    expect([status, headers["x-ms-substatus"]]).toEqual([404, "1024"]);
  });

  it("is listed in pages", async () => {
    await using fixture = await Fixture.start();
    for (const id of ["b", "c"]) await createContainer(fixture, { id });
    const list = async (headers: RawRequest["headers"]) => {
      const page = await fixture.client.signed("GET", COLLS, { headers: headers ?? {} });
      return [
        page.json?.DocumentCollections?.map(({ id }: { id: string }) => id),
        page.headers["x-ms-continuation"],
      ];
    };
    const [first, continuation] = await list({ "x-ms-max-item-count": "2" });
    expect(first).toEqual(["items", "b"]);
    expect(await list({ "x-ms-continuation": continuation })).toEqual([["c"], undefined]);
    expect(
      (await fixture.client.signed("GET", COLLS, { headers: { "x-ms-continuation": "x" } })).status,
    ).toBe(400);
  });

  it("with a hierarchical key takes keys of all its levels, and queries of the first ones", async () => {
    await using fixture = await Fixture.start({ physicalPartitions: 2 });
    const partitionKey = { paths: ["/tenant", "/user"], kind: "MultiHash", version: 2 };
    await createContainer(fixture, { id: "deep", partitionKey });
    const docs = { link: "dbs/db/colls/deep", feed: "docs" };
    for (const user of ["a", "b"]) {
      const headers = { "x-ms-documentdb-partitionkey": JSON.stringify(["t", user]) };
      const body = JSON.stringify({ id: user, tenant: "t", user });
      expect((await fixture.client.signed("POST", docs, { headers, body })).status).toBe(201);
    }
    const flags = { "x-ms-documentdb-isquery": "true", "content-type": "application/query+json" };
    const query = { body: '{"query":"SELECT VALUE c.id FROM c"}', headers: { ...flags, ...keyOf("t") } };
    expect((await fixture.client.signed("POST", docs, query)).json.Documents).toEqual(["a", "b"]);
  });
});
