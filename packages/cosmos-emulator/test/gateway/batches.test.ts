import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

const create = (id: string, more: object = {}): object => ({
  operationType: "Create",
  resourceBody: { id, pk: "p", ...more },
});

const statuses = ({ json }: RawResponse): number[] =>
  json.map((entry: { statusCode: number }) => entry.statusCode);

const ids = async (fixture: Fixture): Promise<string[]> =>
  (await fixture.query("SELECT VALUE c.id FROM c", "p")).json.Documents;

const NOT_ATOMIC = { "x-ms-cosmos-batch-atomic": undefined };

describe("an atomic batch", () => {
  it("does all kinds of operations, each of which sees those before it, at one position", async () => {
    await using fixture = await Fixture.start();
    const before = await fixture.create({ id: "kept", pk: "p" });
    const response = await fixture.batch("p", [
      create("a"),
      { operationType: "Upsert", resourceBody: { id: "a", pk: "p", n: 1 } },
      { operationType: "Replace", id: "a", resourceBody: { id: "a", pk: "p", n: 2 } },
      {
        operationType: "Patch",
        id: "a",
        resourceBody: { operations: [{ op: "incr", path: "/n", value: 1 }] },
      },
      { operationType: "Patch", id: "a", resourceBody: [{ op: "incr", path: "/n", value: 1 }] },
      { operationType: "Read", id: "a" },
      { operationType: "Delete", id: "kept", ifMatch: before.headers.etag },
    ]);
    expect([response.status, statuses(response)]).toEqual([200, [201, 200, 200, 200, 200, 200, 204]]);
    expect(response.json[5].resourceBody.n).toBe(4);
    expect(Object.keys(response.json[0])).toEqual(["statusCode", "requestCharge", "eTag", "resourceBody"]);
    expect(Object.keys(response.json[6])).toEqual(["statusCode", "requestCharge"]);
    expect(response.headers["x-ms-item-count"]).toBe("7");
    expect(Number(response.headers["lsn"])).toBe(Number(before.headers["lsn"]) + 1);
    const etags = new Set(response.json.slice(0, 5).map((entry: { eTag: string }) => entry.eTag));
    expect(etags.size).toBe(5);
  });

  it("that fails is 207 with the culprit's status, 424 for the rest, and leaves nothing behind", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "there", pk: "p" });
    const response = await fixture.batch("p", [create("a"), create("there"), create("c")]);
    expect([response.status, statuses(response)]).toEqual([207, [424, 409, 424]]);
    for (const entry of response.json) expect(Object.keys(entry)).toEqual(["statusCode", "requestCharge"]);
    expect(response.json[0].requestCharge).toBeGreaterThan(5);
    expect(response.json[1].requestCharge).toBe(1.57);
    const sum = response.json.reduce(
      (total: number, { requestCharge }: { requestCharge: number }) => total + requestCharge,
      0,
    );
    expect(Number(response.headers["x-ms-request-charge"])).toBeCloseTo(sum, 1);
    expect(await ids(fixture)).toEqual(["there"]);
  });

  it("names its container when it succeeds, its position always", async () => {
    await using fixture = await Fixture.start();
    const done = await fixture.batch("p", [create("a")]);
    expect(done.headers["x-ms-alt-content-path"]).toBe(CONTAINER);
    const failed = await fixture.batch("p", [create("a")]);
    expect([failed.status, failed.headers["x-ms-content-path"]]).toEqual([207, undefined]);
    expect(failed.headers["x-ms-session-token"]).toBe(done.headers["x-ms-session-token"]);
  });

  it("tells the sub-status of its culprit in the header", async () => {
    await using fixture = await Fixture.start();
    const response = await fixture.batch("p", [create("a"), create("b", { pk: "other" })]);
    expect([response.status, statuses(response)]).toEqual([207, [424, 400]]);
    expect(response.headers["x-ms-substatus"]).toBe("1001");
  });

  it("needs the partition key in the header", async () => {
    await using fixture = await Fixture.start();
    const response = await fixture.batch("p", [create("a")], { "x-ms-documentdb-partitionkey": undefined });
    expect([response.status, response.headers["x-ms-substatus"]]).toEqual([400, "1001"]);
  });

  it("keeps large numbers digit by digit", async () => {
    await using fixture = await Fixture.start();
    const body = '[{"operationType":"Create","resourceBody":{"id":"a","pk":"p","n":9007199254740993}}]';
    const flags = { "x-ms-cosmos-is-batch-request": "true", "x-ms-cosmos-batch-atomic": "true" };
    const target = { link: CONTAINER, feed: "docs" };
    await fixture.client.signed("POST", target, { body, headers: { ...keyOf("p"), ...flags } });
    expect((await fixture.item("GET", "p", "a")).text).toContain('"n":9007199254740993');
  });

  it("omits the items from its answer if the caller prefers so", async () => {
    await using fixture = await Fixture.start();
    const response = await fixture.batch("p", [create("a")], { prefer: "return=minimal" });
    expect(Object.keys(response.json[0])).toEqual(["statusCode", "requestCharge", "eTag"]);
  });
});

describe("a batch that is not declared atomic", () => {
  it("runs in order, stops at the first failure and keeps what came before", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "there", pk: "p" });
    const response = await fixture.batch("p", [create("a"), create("there"), create("c")], NOT_ATOMIC);
    expect([response.status, statuses(response)]).toEqual([207, [201, 409, 424]]);
    expect(await ids(fixture)).toEqual(["there", "a"]);
  });

  it("is atomic all the same where the option says so", async () => {
    await using fixture = await Fixture.start({ treatBatchesAsAtomic: true });
    await fixture.create({ id: "there", pk: "p" });
    const response = await fixture.batch("p", [create("a"), create("there")], NOT_ATOMIC);
    expect(statuses(response)).toEqual([424, 409]);
    expect(await ids(fixture)).toEqual(["there"]);
  });

  it("goes on after failures if it asks for that", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "there", pk: "p" });
    const headers = { "x-ms-cosmos-batch-atomic": "False", "x-ms-cosmos-batch-continue-on-error": "True" };
    const response = await fixture.batch("p", [create("a"), create("there"), create("c")], headers);
    expect([response.status, statuses(response)]).toEqual([207, [201, 409, 201]]);
  });
});

describe("a bulk request", () => {
  const bulkHeaders = {
    "x-ms-cosmos-batch-atomic": "false",
    "x-ms-cosmos-batch-continue-on-error": "true",
    "x-ms-documentdb-partitionkey": undefined,
    "x-ms-documentdb-partitionkeyrangeid": "0",
  };
  const inPartition = (pk: string, id: string): object => ({
    operationType: "Create",
    partitionKey: JSON.stringify([pk]),
    resourceBody: { id, pk },
  });

  it("writes to several partitions, every operation for itself", async () => {
    await using fixture = await Fixture.start({ physicalPartitions: 3 });
    await fixture.create({ id: "there", pk: "p" });
    const operations = [inPartition("p", "there"), inPartition("q", "a"), inPartition("r", "b")];
    const response = await fixture.batch("", operations, bulkHeaders);
    expect([response.status, statuses(response)]).toEqual([207, [409, 201, 201]]);
    expect((await fixture.query("SELECT VALUE c.id FROM c", "r")).json.Documents).toEqual(["b"]);
  });

  it("stops at the first failure if it is not to continue", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "there", pk: "p" });
    const operations = [inPartition("q", "a"), inPartition("p", "there"), inPartition("r", "b")];
    const headers = { ...bulkHeaders, "x-ms-cosmos-batch-continue-on-error": "false" };
    expect(statuses(await fixture.batch("", operations, headers))).toEqual([201, 409, 424]);
  });

  it("is refused if an operation has no partition key", async () => {
    await using fixture = await Fixture.start();
    const response = await fixture.batch("", [create("a")], bulkHeaders);
    expect([response.status, response.headers["x-ms-substatus"]]).toEqual([400, "1001"]);
  });
});

describe("a malformed batch", () => {
  it.each([
    ["that is no list", '{"a":1}'],
    ["that is no JSON", "[{"],
    ["without operations", "[]"],
    ["with an operation that is no object", "[1]"],
    ["without a kind of operation", '[{"id":"a"}]'],
    ["of an unknown kind", '[{"operationType":"Destroy","id":"a"}]'],
    ["with a create without an item", '[{"operationType":"Create"}]'],
    ["with an item that is a list", '[{"operationType":"Upsert","resourceBody":[]}]'],
    ["with a read without an id", '[{"operationType":"Read"}]'],
    ["with an id that is no text", '[{"operationType":"Delete","id":7}]'],
    ["with an ETag that is no text", '[{"operationType":"Delete","id":"a","ifMatch":{}}]'],
    ["with a patch without operations", '[{"operationType":"Patch","id":"a"}]'],
    ["with a malformed partition key", '[{"operationType":"Read","id":"a","partitionKey":"p"}]'],
  ])("%s is refused with 400", async (_, body) => {
    await using fixture = await Fixture.start();
    const flags = { "x-ms-cosmos-is-batch-request": "true", "x-ms-cosmos-batch-atomic": "true" };
    const target = { link: CONTAINER, feed: "docs" };
    const response = await fixture.client.signed("POST", target, {
      body,
      headers: { ...keyOf("p"), ...flags },
    });
    expect([response.status, response.json.code]).toEqual([400, "BadRequest"]);
  });

  it("of more than 100 operations is refused as a whole", async () => {
    await using fixture = await Fixture.start();
    const operations = Array.from({ length: 101 }, (_, index) => create(`i${index}`));
    const response = await fixture.batch("p", operations);
    expect(response.status).toBe(400);
    expect(response.json.message).toContain("more operations than what is supported");
    expect((await fixture.batch("p", operations.slice(1))).status).toBe(200);
  });

  it("of more than 2 MB is refused with 413", async () => {
    await using fixture = await Fixture.start();
    const large = create("a", { text: "x".repeat(1_100_000) });
    expect((await fixture.batch("p", [large, large])).status).toBe(413);
  });

  it("that would return more than 2 MB of items is refused as a whole, unless it returns none", async () => {
    await using fixture = await Fixture.start();
    const large = { text: "x".repeat(800_000) };
    await fixture.batch("p", [create("a", large), create("b", large)]);
    await fixture.batch("p", [create("c", large)]);
    const reads = ["a", "b", "c"].map((id) => ({ operationType: "Read", id }));
    const response = await fixture.batch("p", [create("d"), ...reads]);
    expect([response.status, statuses(response)]).toEqual([207, [424, 424, 424, 413]]);
    const minimal = await fixture.batch("p", [create("d"), ...reads], { prefer: "return=minimal" });
    expect([minimal.status, statuses(minimal)]).toEqual([200, [201, 200, 200, 200]]);
  });

  it("without the header that makes it a batch is refused with 400", async () => {
    await using fixture = await Fixture.start();
    const response = await fixture.batch("p", [create("a")], {
      "x-ms-cosmos-is-batch-request": undefined,
      ...NOT_ATOMIC,
    });
    expect(response.status).toBe(400);
  });
});
