import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf, withFixture } from "./support/fixture.ts";
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
  withFixture("needs the partition key in the header", async (fixture) => {
    const response = await fixture.batch("p", [create("a")], { "x-ms-documentdb-partitionkey": undefined });
    expect([response.status, response.headers["x-ms-substatus"]]).toEqual([400, "1001"]);
  });

  withFixture("keeps large numbers digit by digit", async (fixture) => {
    const body = '[{"operationType":"Create","resourceBody":{"id":"a","pk":"p","n":9007199254740993}}]';
    const flags = { "x-ms-cosmos-is-batch-request": "true", "x-ms-cosmos-batch-atomic": "true" };
    const target = { link: CONTAINER, feed: "docs" };
    await fixture.client.signed("POST", target, { body, headers: { ...keyOf("p"), ...flags } });
    expect((await fixture.item("GET", "p", "a")).text).toContain('"n":9007199254740993');
  });
});

describe("a batch that is not declared atomic", () => {
  it("is atomic all the same where the option says so", async () => {
    await using fixture = await Fixture.start({ treatBatchesAsAtomic: true });
    await fixture.create({ id: "there", pk: "p" });
    const response = await fixture.batch("p", [create("a"), create("there")], NOT_ATOMIC);
    expect(statuses(response)).toEqual([424, 409]);
    expect(await ids(fixture)).toEqual(["there"]);
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

  withFixture("stops at the first failure if it is not to continue", async (fixture) => {
    await fixture.create({ id: "there", pk: "p" });
    const operations = [inPartition("q", "a"), inPartition("p", "there"), inPartition("r", "b")];
    const headers = { ...bulkHeaders, "x-ms-cosmos-batch-continue-on-error": "false" };
    expect(statuses(await fixture.batch("", operations, headers))).toEqual([201, 409, 424]);
  });

  withFixture("is refused if an operation has no partition key", async (fixture) => {
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
});
