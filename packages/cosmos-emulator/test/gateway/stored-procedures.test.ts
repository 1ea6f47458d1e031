import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

async function store(fixture: Fixture, body: string, id = "script"): Promise<RawResponse> {
  const target = { link: CONTAINER, feed: "sprocs" };
  return fixture.client.signed("POST", target, { body: JSON.stringify({ id, body }) });
}

function execute(
  fixture: Fixture,
  args: unknown,
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  const more = {
    headers: { ...keyOf("p"), ...headers },
    ...(args !== undefined && { body: JSON.stringify(args) }),
  };
  return fixture.client.signed("POST", { link: `${CONTAINER}/sprocs/script` }, more);
}

/** The interpreter is loaded anew for each endpoint, which takes its time on a busy machine. */
const WITH_INTERPRETER = { timeout: 300_000 };

describe("a stored procedure", WITH_INTERPRETER, () => {
  it("is created, listed, read, replaced and deleted", async () => {
    await using fixture = await Fixture.start();
    const { client } = fixture;
    const link = `${CONTAINER}/sprocs/script`;
    const created = await store(fixture, "function () {}");
    expect([created.status, created.json._self]).toEqual([201, expect.stringContaining("/sprocs/")]);
    expect((await store(fixture, "function () {}")).status).toBe(409);
    const list = await client.signed("GET", { link: CONTAINER, feed: "sprocs" });
    expect(list.json.StoredProcedures).toEqual([created.json]);
    expect((await client.signed("GET", { link })).json).toEqual(created.json);
    const body = JSON.stringify({ id: "script", body: "function () { return 1; }" });
    const stale = { body, headers: { "if-match": '"other"' } };
    expect((await client.signed("PUT", { link }, stale)).status).toBe(412);
    expect((await client.signed("PUT", { link }, { body })).status).toBe(200);
    expect((await client.signed("DELETE", { link })).status).toBe(204);
    expect((await client.signed("GET", { link })).status).toBe(404);
  });

  it("works on its partition and answers what it sets, with the charges of what it did", async () => {
    await using fixture = await Fixture.start();
    const { json } = await fixture.create({ id: "a", pk: "p", n: 1 });
    await store(
      fixture,
      `function (etag) {
        var c = getContext().getCollection(), link = c.getAltLink() + "/docs/a", found = [];
        function next(error, item) { found.push(error ? error.number : item.n); }
        c.patchDocument(link, [{ op: "incr", path: "/n", value: 4 }], { etag: '"other"' }, next);
        c.patchDocument(link, { operations: [{ op: "incr", path: "/n", value: 4 }] }, { etag: etag }, function (error, item) {
          next(error, item);
          getContext().getResponse().setBody(found);
        });
      }`,
    );
    const response = await execute(fixture, [json._etag]);
    expect([response.status, response.json]).toEqual([200, [412, 5]]);
    expect(Number(response.headers["x-ms-request-charge"])).toBeGreaterThan(4.27 + 10);
    expect(response.headers["x-ms-session-token"]).toBe("0:-1#3");
    expect((await fixture.item("GET", "p", "a")).json.n).toBe(5);
  });

  it("takes a list of arguments, a single one, or none", async () => {
    await using fixture = await Fixture.start();
    await store(fixture, "function (a, b) { getContext().getResponse().setBody([arguments.length, a]); }");
    expect((await execute(fixture, [1, 2])).json).toEqual([2, 1]);
    expect((await execute(fixture, "x")).json).toEqual([1, "x"]);
    expect((await execute(fixture, undefined)).json[0]).toBe(0);
  });

  it("that throws is refused with 400, and all that it wrote is undone", async () => {
    await using fixture = await Fixture.start();
    const before = await fixture.create({ id: "a", pk: "p", n: 1 });
    await store(
      fixture,
      `function () {
        var c = getContext().getCollection();
        c.patchDocument(c.getAltLink() + "/docs/a", [{ op: "set", path: "/n", value: 2 }], function () { throw new Error("no way"); });
      }`,
    );
    const response = await execute(fixture, []);
    expect(response.status).toBe(400);
    expect(response.json.message).toContain("no way");
    expect(Number(response.headers["x-ms-request-charge"])).toBeGreaterThan(9);
    const after = await fixture.item("GET", "p", "a");
    expect([after.json.n, after.headers["lsn"]]).toEqual([1, before.headers["lsn"]]);
  });

  it("sees items of its own partition only, by link and query", async () => {
    await using fixture = await Fixture.start();
    for (const pk of ["p", "q"]) await fixture.create({ id: `in-${pk}`, pk });
    await store(
      fixture,
      `function () {
        var c = getContext().getCollection(), found = {};
        c.queryDocuments(c.getSelfLink(), "SELECT c.id, c._self FROM c", function (error, items) {
          found.query = items.map(function (item) { return item.id; });
          c.readDocument(items[0]._self, function (error, item) { found.read = item.id; });
          c.readDocument(c.getAltLink() + "/docs/in-q", function (error) {
            found.other = error.number;
            getContext().getResponse().setBody(found);
          });
        });
      }`,
    );
    expect((await execute(fixture, [])).json).toEqual({ query: ["in-p"], read: "in-p", other: 404 });
  });

  it("needs a partition key, and must exist", async () => {
    await using fixture = await Fixture.start();
    expect((await execute(fixture, [])).status).toBe(404);
    await store(fixture, "function () {}");
    const target = { link: `${CONTAINER}/sprocs/script` };
    const response = await fixture.client.signed("POST", target, { body: "[]" });
    expect([response.status, response.headers["x-ms-substatus"]]).toEqual([400, "1001"]);
  });
});
