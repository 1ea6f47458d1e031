import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf } from "./support/fixture.ts";

const NO_CHARGE = /^\d+(\.\d{1,2})?$/;

describe("an item over HTTP", () => {
  it("is created, read, replaced, upserted, patched and deleted with the service's statuses", async () => {
    await using fixture = await Fixture.start();
    const created = await fixture.create({ id: "a", pk: "p", n: 1 });
    expect([created.status, created.json.n]).toEqual([201, 1]);
    expect((await fixture.item("GET", "p", "a")).json).toEqual(created.json);
    const replaced = await fixture.item("PUT", "p", "a", { body: '{"id":"a","pk":"p","n":2}' });
    expect([replaced.status, replaced.json.n]).toEqual([200, 2]);
    expect((await fixture.upsert({ id: "a", pk: "p", n: 3 })).status).toBe(200);
    expect((await fixture.upsert({ id: "b", pk: "p" })).status).toBe(201);
    const patched = await fixture.item("PATCH", "p", "a", { body: '[{"op":"incr","path":"/n","value":4}]' });
    expect([patched.status, patched.json.n]).toEqual([200, 7]);
    const deleted = await fixture.item("DELETE", "p", "a");
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await fixture.item("GET", "p", "a")).status).toBe(404);
  });

  it("is answered with the headers that clients read", async () => {
    await using fixture = await Fixture.start();
    const { headers, json } = await fixture.create({ id: "a", pk: "p", n: 1 });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      etag: json._etag,
      lsn: "2",
      "x-ms-request-charge": "6.29",
      "x-ms-session-token": "0:-1#2",
      "x-ms-alt-content-path": CONTAINER,
      "x-ms-documentdb-partitionkeyrangeid": "0",
    });
    expect(headers["x-ms-activity-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(Buffer.from(headers["x-ms-content-path"] as string, "base64")).toHaveLength(8);
    expect(headers["strict-transport-security"]).toBeUndefined();
  });

  it("is refused in the service's form: code, message with the activity, status and charge", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "a", pk: "p" });
    const refusals = [
      { response: await fixture.item("GET", "p", "none"), status: 404, code: "NotFound" },
      { response: await fixture.create({ id: "a", pk: "p" }), status: 409, code: "Conflict" },
      { response: await fixture.create({ pk: "p" }), status: 400, code: "BadRequest" },
      {
        response: await fixture.item("PUT", "p", "a", {
          body: '{"id":"a","pk":"p"}',
          headers: { "if-match": '"x"' },
        }),
        status: 412,
        code: "PreconditionFailed",
      },
    ];
    for (const { response, status, code } of refusals) {
      expect([response.status, response.json.code]).toEqual([status, code]);
      expect(response.json.message).toMatch(/^Message: \{"Errors":\[".+"\]\}\r\nActivityId: [0-9a-f-]{36}$/);
      expect(response.json.message).toContain(response.headers["x-ms-activity-id"]);
      expect(response.headers["x-ms-request-charge"]).toMatch(NO_CHARGE);
    }
  });

  it("is not read again when its ETag is known", async () => {
    await using fixture = await Fixture.start();
    const { json } = await fixture.create({ id: "a", pk: "p" });
    const known = await fixture.item("GET", "p", "a", { headers: { "if-none-match": json._etag } });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, "", json._etag]);
    expect((await fixture.item("GET", "p", "a", { headers: { "if-none-match": '"other"' } })).status).toBe(
      200,
    );
  });

  it("is only changed if its ETag is the expected one", async () => {
    await using fixture = await Fixture.start();
    const { json } = await fixture.create({ id: "a", pk: "p" });
    const body = '{"id":"a","pk":"p","n":1}';
    const right = await fixture.item("PUT", "p", "a", { body, headers: { "if-match": json._etag } });
    expect(right.status).toBe(200);
    const stale = { headers: { "if-match": json._etag } };
    expect((await fixture.item("PUT", "p", "a", { body, ...stale })).status).toBe(412);
    expect((await fixture.item("DELETE", "p", "a", stale)).status).toBe(412);
    const patch = { body: '[{"op":"set","path":"/n","value":2}]', ...stale };
    expect((await fixture.item("PATCH", "p", "a", patch)).status).toBe(412);
  });

  it("is written without being sent back if the caller prefers so", async () => {
    await using fixture = await Fixture.start();
    const minimal = { prefer: "return=minimal" };
    const created = await fixture.create({ id: "a", pk: "p" }, minimal);
    expect([created.status, created.text, typeof created.headers.etag]).toEqual([201, "", "string"]);
    const patch = '{"operations":[{"op":"set","path":"/n","value":1}]}';
    const patched = await fixture.item("PATCH", "p", "a", { body: patch, headers: minimal });
    expect([patched.status, patched.text]).toEqual([200, ""]);
    expect((await fixture.item("GET", "p", "a", { headers: minimal })).json.n).toBe(1);
  });

  it("is patched by a bare list and by an object with a condition", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "a", pk: "p", n: 1 });
    const operations = [{ op: "set", path: "/n", value: 5 }];
    const when = (condition: string): string => JSON.stringify({ condition, operations });
    expect((await fixture.item("PATCH", "p", "a", { body: when("from c where c.n = 2") })).status).toBe(412);
    expect((await fixture.item("PATCH", "p", "a", { body: when("from c where c.n = 1") })).status).toBe(200);
    expect((await fixture.item("PATCH", "p", "a", { body: "[]" })).status).toBe(400);
  });

  it.each([
    ["no partition key header", {}, "1001"],
    ["another key than the item's", { "x-ms-documentdb-partitionkey": '["q"]' }, "1001"],
    ["a malformed partition key header", { "x-ms-documentdb-partitionkey": "p" }, undefined],
  ])("is refused with 400 for %s", async (_, headers, substatus) => {
    await using fixture = await Fixture.start();
    const target = { link: CONTAINER, feed: "docs" };
    const response = await fixture.client.signed("POST", target, { headers, body: '{"id":"a","pk":"p"}' });
    expect([response.status, response.headers["x-ms-substatus"]]).toEqual([400, substatus]);
  });

  it("is found by a partition key that the header has escaped or as plain UTF-8", async () => {
    await using fixture = await Fixture.start();
    expect(
      (await fixture.create({ id: "a", pk: "spät" }, { "x-ms-documentdb-partitionkey": '["sp\\u00e4t"]' }))
        .status,
    ).toBe(201);
    const plain = Buffer.from('["spät"]', "utf8").toString("latin1");
    const read = await fixture.item("GET", "", "a", { headers: { "x-ms-documentdb-partitionkey": plain } });
    expect(read.status).toBe(200);
  });

  it("of an absent container is refused with 404/1003", async () => {
    await using fixture = await Fixture.start();
    const response = await fixture.client.signed(
      "GET",
      { link: "dbs/db/colls/none/docs/a" },
      { headers: keyOf("p") },
    );
    expect([response.status, response.headers["x-ms-substatus"]]).toEqual([404, "1003"]);
  });

  it("goes with all others of its partition key when these are deleted together", async () => {
    await using fixture = await Fixture.start();
    for (const id of ["a", "b"]) await fixture.create({ id, pk: "p" });
    await fixture.create({ id: "c", pk: "q" });
    const path = `/${CONTAINER}/operations/partitionkeydelete`;
    const target = { link: CONTAINER };
    expect((await fixture.client.signed("POST", target, { path, headers: keyOf("p") })).status).toBe(200);
    expect((await fixture.query("SELECT VALUE c.id FROM c")).json.Documents).toEqual(["c"]);
  });
});
