/** Signatures: which are accepted, and what the others are told. */
import { inGroup } from "../check.ts";
import { type Signed, sign } from "../client/sign.ts";
import { errorOf, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

const WRONG_KEY = Buffer.alloc(64, 7).toString("base64");
const MINUTE_MS = 60_000;

/** A read of the shared container, signed as `change` says. */
async function readContainerSigned(target: Target, change: Partial<Signed>, key = target.key) {
  const { link } = await target.items;
  const date = new Date();
  const signed = {
    verb: "GET",
    resourceType: "colls",
    resourceLink: link,
    date: date.toUTCString(),
    ...change,
  };
  return target.raw.send({ method: "GET", link, date, authorization: sign(key, signed) });
}

export const AUTHORIZATION = inGroup("authorization", [
  {
    name: "accepts a right signature",
    evidence: ["1.3 signature", "1.3 links"],
    async run(target) {
      expectStatus(await readContainerSigned(target, {}), 200);
    },
  },
  {
    name: "refuses the signature of another key with 401",
    evidence: ["1.3 refusals", "2.1 401", "6 unique, charge, auth"],
    async run(target) {
      const reply = expectStatus(await readContainerSigned(target, {}, WRONG_KEY), 401);
      expectEqual(reply.fields["code"], "Unauthorized", "the code");
    },
  },
  {
    name: "refuses a signature of another verb, type or resource with 401",
    evidence: ["1.3 signature", "1.3 refusals", "6 unique, charge, auth"],
    async run(target) {
      expectStatus(await readContainerSigned(target, { verb: "DELETE" }), 401);
      expectStatus(await readContainerSigned(target, { resourceType: "docs" }), 401);
      expectStatus(await readContainerSigned(target, { resourceLink: target.databaseLink }), 401);
    },
  },
  {
    name: "refuses a signature of another date with 401",
    evidence: ["1.3 signature", "1.3 refusals"],
    async run(target) {
      const date = new Date(Date.now() - MINUTE_MS).toUTCString();
      expectStatus(await readContainerSigned(target, { date }), 401);
    },
  },
  {
    name: "refuses a request without authorization with 401",
    evidence: ["recorded: paths", "1.3 refusals", "6 unique, charge, auth"],
    async run(target) {
      const { link } = await target.items;
      const reply = await target.raw.send({ method: "GET", link, authorization: "" });
      expectMatch(String(expectStatus(reply, 401).fields["message"]), /authorization/i, "the message");
    },
  },
  {
    name: "refuses a header that is no token with 401",
    evidence: ["1.3 refusals"],
    async run(target) {
      const { link } = await target.items;
      for (const authorization of [
        "nonsense",
        "type%3Dmaster",
        "type%3Daad%26ver%3D1.0%26sig%3Dnot.a.token",
      ]) {
        expectStatus(await target.raw.send({ method: "GET", link, authorization }), 401);
      }
    },
  },
  {
    name: "refuses a date 20 minutes off with 403",
    evidence: ["1.3 refusals", "3.1 skew", "2.1 403"],
    async run(target) {
      const { link } = await target.items;
      for (const offMs of [-20 * MINUTE_MS, 20 * MINUTE_MS]) {
        const date = new Date(Date.now() + offMs);
        expectStatus(await target.raw.send({ method: "GET", link, date }), 403);
      }
    },
  },
  {
    name: "accepts a date 10 minutes off",
    evidence: ["3.1 skew"],
    async run(target) {
      const { link } = await target.items;
      const date = new Date(Date.now() - 10 * MINUTE_MS);
      expectStatus(await target.raw.send({ method: "GET", link, date }), 200);
    },
  },
  {
    name: "keeps the case of a resource link",
    evidence: ["1.3 links"],
    async run(target) {
      const items = await target.items;
      const [pk, id] = [unique("pk"), unique("MixedCase")];
      expectStatus(await items.create([pk], { id, pk }), 201);
      expectStatus(await items.read([pk], id), 200);
      const date = new Date();
      const resourceLink = `${items.link}/docs/${id.toLowerCase()}`;
      const authorization = sign(target.key, {
        verb: "GET",
        resourceType: "docs",
        resourceLink,
        date: date.toUTCString(),
      });
      const headers = { "x-ms-documentdb-partitionkey": JSON.stringify([pk]) };
      expectStatus(
        await target.raw.send({
          method: "GET",
          link: `${items.link}/docs/${id}`,
          date,
          authorization,
          headers,
        }),
        401,
      );
    },
  },
  {
    name: "signs links as they are, not as they are escaped in the address",
    evidence: ["1.3 links", "1.4 ids in paths"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const id of ["a b", "100%", "größe", "日本", "a:b+c"]) {
        expectStatus(await items.create([pk], { id, pk }), 201);
        expectEqual(expectStatus(await items.read([pk], id), 200).fields["id"], id, "the id");
      }
    },
  },
  {
    name: "verifies the parent's link on creation, lists and queries",
    evidence: ["1.3 parent links"],
    async run(target) {
      const items = await target.items;
      const date = new Date();
      const signed = { verb: "POST", resourceType: "docs", date: date.toUTCString() };
      const send = (resourceLink: string) =>
        target.raw.send({
          method: "POST",
          link: `${items.link}/docs`,
          date,
          authorization: sign(target.key, { ...signed, resourceLink }),
          headers: {
            "content-type": "application/query+json",
            "x-ms-documentdb-isquery": "True",
            "x-ms-documentdb-partitionkey": '["p"]',
          },
          body: { query: "SELECT c.id FROM c" },
        });
      expectStatus(await send(items.link), 200);
      expectStatus(await send(`${items.link}/docs`), 401);
    },
  },
  {
    name: "lets the SDK tell its user of a wrong key",
    evidence: ["2.2 one request", "1.3 refusals"],
    async run(target) {
      const client = target.sdkClient({
        key: WRONG_KEY,
        connectionPolicy: { enableEndpointDiscovery: false },
      });
      const error = await errorOf(() => client.database(target.databaseId).read());
      client.dispose();
      expectEqual(error.code, 401, "the code of the error");
    },
  },
]);
