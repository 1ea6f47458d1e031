import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf, withFixture } from "./support/fixture.ts";
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

  withFixture("sees items of its own partition only, by link and query", async (fixture) => {
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
});
