/** Features of the service that this endpoint does not have: each is refused with 501 by name. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { CONTAINER, Fixture } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

let fixture: Fixture;

beforeAll(async () => {
  fixture = await Fixture.start();
});

afterAll(() => fixture[Symbol.asyncDispose]());

function expectNotImplemented({ status, json }: RawResponse, feature: string): void {
  expect([status, json.code]).toEqual([501, "NotImplemented"]);
  expect(json.message).toMatch(new RegExp(`^${feature} are not implemented by this endpoint\\.`));
}

it.each([
  ["Triggers", CONTAINER, "triggers"],
  ["User-defined functions", CONTAINER, "udfs"],
  ["Conflicts", CONTAINER, "conflicts"],
  ["Users", "dbs/db", "users"],
  ["Permissions", "dbs/db/users/anna", "permissions"],
  ["Client encryption keys", "dbs/db", "clientencryptionkeys"],
])("%s", async (feature, link, feed) => {
  const body = JSON.stringify({ id: "x", body: "function () {}" });
  for (const answer of [
    await fixture.client.signed("GET", { link, feed }),
    await fixture.client.signed("POST", { link, feed }, { body }),
    await fixture.client.signed("GET", { link: `${link}/${feed}/x` }),
    await fixture.client.signed("DELETE", { link: `${link}/${feed}/x` }),
  ]) {
    expectNotImplemented(answer, feature);
  }
});

it("changes of throughput", async () => {
  const { json } = await fixture.client.signed("GET", { link: "", feed: "offers" });
  const [offer] = json.Offers;
  const target = { link: offer.id.toLowerCase(), type: "offers" };
  const body = JSON.stringify({ ...offer, content: { offerThroughput: 500 } });
  const answer = await fixture.client.signed("PUT", target, { body, path: `/offers/${offer.id}` });
  expectNotImplemented(answer, "Changes of the throughput of a database or container");
});

it("a write that names a trigger, which is not done", async () => {
  for (const name of ["x-ms-documentdb-pre-trigger-include", "x-ms-documentdb-post-trigger-include"]) {
    expectNotImplemented(await fixture.create({ id: "a", pk: "p" }, { [name]: "stamp" }), "Triggers");
  }
  expect((await fixture.item("GET", "p", "a")).status).toBe(404);
});

it("a query that calls a user-defined function", async () => {
  const answer = await fixture.query("SELECT VALUE udf.tax(c.a) FROM c", "p");
  expectNotImplemented(answer, "User-defined functions");
});

it("the log of a stored procedure", async () => {
  const link = `${CONTAINER}/sprocs/any`;
  const headers = {
    "x-ms-documentdb-script-enable-logging": "true",
    "x-ms-documentdb-partitionkey": '["p"]',
  };
  expectNotImplemented(
    await fixture.client.signed("POST", { link }, { body: "[]", headers }),
    "Logs of stored procedures",
  );
});
