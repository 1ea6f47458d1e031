import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf, withFixture } from "./support/fixture.ts";
import { authorization, RawClient } from "./support/raw-client.ts";

const at = (ms: number): string => new Date(ms).toUTCString();

function token(claims: object, header: object = { alg: "RS256", typ: "JWT" }): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `type=aad&ver=1.0&sig=${part(header)}.${part(claims)}.c2lnbmF0dXJl`;
}

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

describe("the account's key", () => {
  it("may be another than the well-known one", async () => {
    const key = Buffer.from("a key of one's own").toString("base64");
    await using fixture = await Fixture.start({ key });
    expect((await fixture.client.signed("GET", { link: "dbs/db" })).status).toBe(200);
    using wellKnown = new RawClient({
      ...fixture.emulator,
      endpoint: fixture.emulator.endpoint,
      key: "AAAA",
    });
    expect((await wellKnown.signed("GET", { link: "dbs/db" })).status).toBe(401);
  });

  it.each([
    ["another verb", "PUT", "dbs", "dbs/db"],
    ["another type", "GET", "colls", "dbs/db"],
    ["another link", "GET", "dbs", "dbs/other"],
    ["the link in another case", "GET", "dbs", "dbs/DB"],
  ])(
    "is not proven by a signature for %s, and the answer says what should be signed",
    async (_, verb, type, link) => {
      await using fixture = await Fixture.start();
      const date = new Date().toUTCString();
      const headers = {
        authorization: authorization(fixture.emulator.key, verb, type, link, date),
        "x-ms-date": date,
      };
      const response = await fixture.client.send({ method: "GET", path: "/dbs/db", headers });
      expect([response.status, response.json.code]).toEqual([401, "Unauthorized"]);
      expect(response.json.message).toContain(JSON.stringify(`get\ndbs\ndbs/db\n${date.toLowerCase()}\n\n`));
    },
  );

  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["another form", "Bearer abc"],
    ["another version", "type=master&ver=2.0&sig=AAAA"],
    ["an unknown type", "type=magic&ver=1.0&sig=AAAA"],
    ["a resource token", "type=resource&ver=1.0&sig=AAAA"],
    ["a signature that is too short", "type=master&ver=1.0&sig=AAAA"],
    ["broken percent-encoding", "type%3Dmaster%26ver%3D1.0%26sig%3D%"],
  ])("is not proven by %s", async (_, header) => {
    await using fixture = await Fixture.start();
    const headers = {
      "x-ms-date": at(Date.now()),
      ...(header === undefined ? {} : { authorization: header }),
    };
    const response = await fixture.client.send({ method: "GET", path: "/dbs/db", headers });
    expect(response.status).toBe(401);
    expect(response.json).toMatchObject({ code: "Unauthorized", message: expect.any(String) });
  });

  withFixture("needs a date in what is signed", async (fixture) => {
    const headers = { authorization: authorization(fixture.emulator.key, "GET", "dbs", "dbs/db", "") };
    expect((await fixture.client.send({ method: "GET", path: "/dbs/db", headers })).status).toBe(401);
  });

  it.each([
    [-16, 403],
    [-14, 200],
    [14, 200],
    [16, 403],
  ])("with a date %i minutes from the server's gives %i", async (minutes, status) => {
    await using fixture = await Fixture.start();
    const headers = { "x-ms-date": at(Date.now() + minutes * 60_000) };
    expect((await fixture.client.signed("GET", { link: "dbs/db" }, { headers })).status).toBe(status);
  });

  withFixture("signs offers by their id in lower case, and their query by nothing", async (fixture) => {
    const headers = { "x-ms-documentdb-isquery": "true", "content-type": "application/query+json" };
    const feed = await fixture.client.signed(
      "POST",
      { link: "", feed: "offers" },
      { headers, body: '{"query":"SELECT * FROM root"}' },
    );
    expect(feed.status).toBe(200);
    const [offer] = feed.json.Offers;
    const date = new Date().toUTCString();
    const signature = authorization(fixture.emulator.key, "GET", "offers", offer._rid.toLowerCase(), date);
    const read = await fixture.client.send({
      method: "GET",
      path: `/offers/${offer._rid}`,
      headers: { authorization: signature, "x-ms-date": date },
    });
    expect([read.status, read.json.id]).toEqual([200, offer.id]);
  });

  withFixture("may sign a path of resource ids by the last of them alone, in lower case", async (fixture) => {
    const { json: container } = await fixture.client.signed("GET", { link: CONTAINER });
    const date = new Date().toUTCString();
    const signature = authorization(fixture.emulator.key, "GET", "colls", container._rid.toLowerCase(), date);
    const read = await fixture.client.send({
      method: "GET",
      path: `/${container._self}`,
      headers: { authorization: signature, "x-ms-date": date },
    });
    expect(read.status).toBe(200);
  });
});

describe("bearer tokens", () => {
  const ask = (fixture: Fixture, authorizationHeader: string, method: string, path: string, body = "") =>
    fixture.client.send({
      method,
      path,
      body,
      headers: { authorization: authorizationHeader, ...keyOf("p") },
    });

  withFixture("are refused unless the option is set", async (fixture) => {
    const response = await ask(fixture, token({ exp: inAnHour(), aud: "x" }), "GET", "/dbs/db");
    expect(response.status).toBe(401);
  });

  it("may work on items and read what is around them", async () => {
    await using fixture = await Fixture.start({ aad: true });
    const bearer = token({ exp: inAnHour(), aud: "https://account.documents.azure.com" });
    expect((await ask(fixture, bearer, "GET", "/")).status).toBe(200);
    expect((await ask(fixture, bearer, "GET", "/dbs/db")).status).toBe(200);
    expect((await ask(fixture, bearer, "GET", `/${CONTAINER}`)).status).toBe(200);
    expect((await ask(fixture, bearer, "POST", `/${CONTAINER}/docs`, '{"id":"a","pk":"p"}')).status).toBe(
      201,
    );
  });

  it.each([
    ["POST", "/dbs", '{"id":"x"}'],
    ["DELETE", "/dbs/db", ""],
    ["POST", "/dbs/db/colls", '{"id":"x"}'],
    ["PUT", `/${CONTAINER}`, "{}"],
    ["DELETE", `/${CONTAINER}`, ""],
    ["GET", "/offers", ""],
    ["POST", `/${CONTAINER}/sprocs`, "{}"],
    ["GET", `/${CONTAINER}/sprocs`, ""],
    ["GET", `/${CONTAINER}/sprocs/x`, ""],
    ["PUT", `/${CONTAINER}/sprocs/x`, "{}"],
    ["DELETE", `/${CONTAINER}/sprocs/x`, ""],
  ])("may not %s %s: 403/5300", async (method, path, body) => {
    await using fixture = await Fixture.start({ aad: true });
    const response = await ask(fixture, token({ exp: inAnHour(), aud: "x" }), method, path, body);
    expect([response.status, response.headers["x-ms-substatus"]]).toEqual([403, "5300"]);
  });

  it("may execute a stored procedure", async () => {
    await using fixture = await Fixture.start({ aad: true });
    const bearer = token({ exp: inAnHour(), aud: "x" });
    expect((await ask(fixture, bearer, "POST", `/${CONTAINER}/sprocs/x`, "[]")).status).toBe(404);
  });

  describe("with a role", () => {
    const CONTAINERS = "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers";
    const METADATA = "Microsoft.DocumentDB/databaseAccounts/readMetadata";
    const BATCH = {
      "x-ms-cosmos-is-batch-request": "true",
      "x-ms-cosmos-batch-atomic": "true",
      "x-ms-documentdb-partitionkeyrangeid": "0",
    };
    const QUERY = { "x-ms-documentdb-isquery": "true", "content-type": "application/query+json" };
    const created = '[{"operationType":"Create","resourceBody":{"id":"a","pk":"p"}}]';

    it.each([
      ["GET", "/", "", {}, [METADATA]],
      ["GET", `/${CONTAINER}/pkranges`, "", {}, [METADATA]],
      ["POST", `/${CONTAINER}/docs`, '{"id":"a","pk":"p"}', {}, [`${CONTAINERS}/items/create`]],
      ["POST", `/${CONTAINER}/docs`, created, BATCH, [`${CONTAINERS}/items/create`]],
      [
        "POST",
        `/${CONTAINER}/docs`,
        '{"query":"SELECT * FROM c"}',
        QUERY,
        [`${CONTAINERS}/executeQuery`, `${CONTAINERS}/readChangeFeed`],
      ],
    ] as const)(
      "%s %s %s needs each of its actions: 403/5301",
      async (method, path, body, headers, actions) => {
        const send = async (dataActions: readonly string[], scope = "/") => {
          await using fixture = await Fixture.start({ aad: { dataActions, scope } });
          const bearer = token({ exp: inAnHour(), aud: "x" });
          const all = { authorization: bearer, ...keyOf("p"), ...headers };
          return await fixture.client.send({ method, path, body, headers: all });
        };
        expect((await send(actions)).status).toBeLessThan(300);
        for (const missing of actions) {
          const refused = await send(actions.filter((action) => action !== missing));
          expect([refused.status, refused.headers["x-ms-substatus"]]).toEqual([403, "5301"]);
          expect(refused.json.message).toContain(`perform action [${missing}] on resource [${path}]`);
        }
        expect((await send(actions, "/dbs/other")).status).toBe(403);
      },
    );

    it("a wildcard stands for the actions right below it", async () => {
      await using fixture = await Fixture.start({ aad: { dataActions: [`${CONTAINERS}/*`] } });
      const bearer = token({ exp: inAnHour(), aud: "x" });
      expect((await ask(fixture, bearer, "GET", `/${CONTAINER}/docs`)).status).toBe(200);
      expect((await ask(fixture, bearer, "POST", `/${CONTAINER}/docs`, '{"id":"a","pk":"p"}')).status).toBe(
        403,
      );
    });
  });

  it.each([
    ["two parts", "type=aad&ver=1.0&sig=abc.def"],
    ["parts that are no JSON", "type=aad&ver=1.0&sig=abc.def.ghi"],
    ["no expiry", token({ aud: "x" })],
    ["no audience", token({ exp: 9e9 })],
    ["an expiry that is past", token({ exp: 1e9, aud: "x" })],
    ["a beginning that is ahead", token({ exp: 9e9, nbf: 8e9, aud: "x" })],
    ["no algorithm", token({ exp: 9e9, aud: "x" }, { typ: "JWT" })],
  ])("with %s are refused", async (_, header) => {
    await using fixture = await Fixture.start({ aad: true });
    expect((await ask(fixture, header, "GET", "/")).status).toBe(401);
  });
});
