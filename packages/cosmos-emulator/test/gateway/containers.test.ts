import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, withFixture } from "./support/fixture.ts";
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
  withFixture("is not sent again to a client that has its version", async (fixture) => {
    const { headers } = await fixture.client.signed("GET", { link: "dbs/db" });
    const known = { headers: { "if-none-match": headers.etag } };
    expect((await fixture.client.signed("GET", { link: "dbs/db" }, known)).status).toBe(304);
  });
});

describe("a container", () => {
  withFixture("has the throughput that its headers name", async (fixture) => {
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

  withFixture("is listed in pages", async (fixture) => {
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
});
