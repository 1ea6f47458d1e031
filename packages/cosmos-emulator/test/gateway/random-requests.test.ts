/** Whatever arrives is answered with a status of the service and a message, and the endpoint goes on. */
import { WELL_KNOWN_KEY } from "@duroxide-ts/cosmos-emulator";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTAINER, type Fixture, keyOf } from "./support/fixture.ts";
import { authorization } from "./support/raw-client.ts";
import { BATCH, QUERY, startWatched, type WatchedFixture } from "./support/watched-fixture.ts";

const DOCS = { link: CONTAINER, feed: "docs" };

let fixture: Fixture;
let failures: unknown[];
let post: WatchedFixture["post"];
let expectService: WatchedFixture["expectService"];

beforeAll(async () => {
  ({ fixture, failures, post, expectService } = await startWatched());
});

afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** Mostly what a batch is made of, with wrong parts here and there. */
const operation = fc.record(
  {
    operationType: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("Create", "Upsert", "Replace", "Read", "Delete", "Patch") },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
    id: fc.oneof(fc.constantFrom("a", "b", "c"), fc.string(), fc.jsonValue()),
    ifMatch: fc.oneof(fc.constantFrom("*", '"x"'), fc.jsonValue()),
    partitionKey: fc.oneof(fc.constantFrom('["p"]', "[{}]", "[]"), fc.string()),
    resourceBody: fc.oneof(
      fc.record({ id: fc.constantFrom("a", "b", "c"), pk: fc.constant("p"), n: fc.jsonValue() }),
      fc.record({
        condition: fc.oneof(fc.constant("from c where c.n > 1"), fc.string()),
        operations: fc.array(
          fc.record({
            op: fc.oneof(fc.constantFrom("add", "set", "replace", "remove", "incr", "move"), fc.string()),
            path: fc.oneof(fc.constantFrom("/n", "/n/0", "/id", "/a/-", "/__proto__/x"), fc.string()),
            value: fc.jsonValue(),
          }),
        ),
      }),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
);

/** Hundreds of requests each: on a busy machine they take their time. */
const FUZZED = { timeout: 300_000 };

describe("any bytes", FUZZED, () => {
  it("as the body of a batch are answered", async () => {
    const body = fc.oneof(
      fc.array(operation, { maxLength: 5 }).map((operations) => JSON.stringify(operations)),
      fc.json(),
      fc.string(),
    );
    const flags = fc.constantFrom("true", "false", "True", "maybe");
    await fc.assert(
      fc.asyncProperty(body, flags, flags, async (text, atomic, continues) => {
        const headers = {
          "x-ms-cosmos-batch-atomic": atomic,
          "x-ms-cosmos-batch-continue-on-error": continues,
        };
        expectService(await post(text, { ...BATCH, ...headers }));
      }),
      { numRuns: 150 },
    );
  });

  it("as an item, a patch or a query are answered", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
      fc.json().map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        expectService(await post(body, {}));
        expectService(await post(body, { "x-ms-documentdb-is-upsert": "true" }));
        expectService(await post(body, QUERY));
        expectService(await fixture.item("PATCH", "p", "a", { body }));
        expectService(await fixture.client.signed("POST", { link: "dbs/db", feed: "colls" }, { body }));
      }),
      { numRuns: 60 },
    );
  });

  it("as a path are answered", async () => {
    const part = fc.oneof(
      fc.constantFrom(
        "dbs",
        "db",
        "colls",
        "items",
        "docs",
        "sprocs",
        "pkranges",
        "offers",
        "_emulator",
        "_explorer",
      ),
      fc.stringMatching(/^[\x21-\x7e]{0,12}$/),
    );
    const path = fc.array(part, { maxLength: 9 }).map((parts) => `/${parts.join("/")}`);
    const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");
    await fc.assert(
      fc.asyncProperty(method, path, async (verb, raw) => {
        const response = await fixture.client.send({ method: verb, path: raw });
        // 501: a part of the service that the endpoint does not have.
        expect(response.status < 500 || response.status === 501, response.text).toBe(true);
      }),
      { numRuns: 150 },
    );
    expect(failures).toEqual([]);
  });

  it("as headers are answered", async () => {
    const name = fc.constantFrom(
      "x-ms-documentdb-partitionkey",
      "x-ms-documentdb-partitionkeyrangeid",
      "x-ms-max-item-count",
      "x-ms-continuation",
      "x-ms-session-token",
      "x-ms-start-epk",
      "x-ms-end-epk",
      "if-match",
      "if-none-match",
      "if-modified-since",
      "a-im",
      "prefer",
      "x-ms-offer-throughput",
      "x-ms-cosmos-offer-autopilot-settings",
      "content-type",
    );
    const value = fc.oneof(
      fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,20}$/),
      fc.json().filter((text) => /^[\x20-\x7e]*$/.test(text)),
    );
    const headers = fc
      .array(fc.tuple(name, value), { maxLength: 5 })
      .map((pairs) => Object.fromEntries(pairs));
    await fc.assert(
      fc.asyncProperty(headers, async (given) => {
        expectService(await fixture.client.signed("GET", DOCS, { headers: given }));
        expectService(await post('{"query":"SELECT * FROM c"}', { ...QUERY, ...given }));
        expectService(await post('{"id":"a","pk":"p"}', given));
        expectService(
          await fixture.client.signed("GET", { link: CONTAINER, feed: "pkranges" }, { headers: given }),
        );
      }),
      { numRuns: 80 },
    );
  });
});

describe("any JSON", FUZZED, () => {
  const named = fc
    .dictionary(fc.constantFrom("id", "body", "partitionKey", "indexingPolicy", "defaultTtl"), fc.jsonValue())
    .map((value) => JSON.stringify({ id: "x", ...value }));

  it("as a container, a script or a database is answered", async () => {
    const { client } = fixture;
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), named), async (body) => {
        expectService(await client.signed("POST", { link: CONTAINER, feed: "sprocs" }, { body }));
        expectService(await client.signed("PUT", { link: CONTAINER }, { body }));
        expectService(await client.signed("POST", { link: "", feed: "dbs" }, { body }));
      }),
      { numRuns: 50 },
    );
  });

  it("as a fault, a budget or a clock is answered", async () => {
    const rule = fc.record(
      {
        match: fc.oneof(fc.record({ operation: fc.constant("item.read") }), fc.jsonValue()),
        rate: fc.oneof(fc.double(), fc.jsonValue()),
        next: fc.oneof(fc.integer(), fc.jsonValue()),
        effect: fc.oneof(fc.record({ kind: fc.constantFrom("reset", "error", "delay") }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.json(),
      rule.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        for (const [method, route] of [
          ["POST", "faults"],
          ["PUT", "budget"],
          ["PUT", "clock"],
        ] as const)
          expectService(await fixture.client.send({ method, path: `/_emulator/${route}`, body: text }));
        fixture.emulator.faults.clear();
      }),
      { numRuns: 80 },
    );
  });
});

describe("any signature but the right one", FUZZED, () => {
  const date = new Date().toUTCString();
  const right = decodeURIComponent(authorization(WELL_KNOWN_KEY, "POST", "docs", CONTAINER, date));

  it("is refused, and nothing is stored", async () => {
    const changed = fc
      .tuple(fc.nat(right.length - 1), fc.stringMatching(/^[\x20-\x7e]$/))
      .map(([at, character]) => right.slice(0, at) + character + right.slice(at + 1))
      .filter((text) => !isSame(text, right));
    const header = fc.oneof(changed, fc.stringMatching(/^[\x20-\x7e]{0,80}$/));
    await fc.assert(
      fc.asyncProperty(header, fc.boolean(), async (text, encoded) => {
        const signature = { authorization: encoded ? encodeURIComponent(text) : text, "x-ms-date": date };
        const headers = { ...keyOf("p"), ...signature };
        const body = '{"id":"forged","pk":"p"}';
        const path = `/${CONTAINER}/docs`;
        const response = await fixture.client.send({ method: "POST", path, headers, body });
        expectService(response);
        expect(response.status, text).toBe(401);
      }),
      { numRuns: 150 },
    );
    expect((await fixture.item("GET", "p", "forged")).status).toBe(404);
  });

  /** Base64 ignores the last bits of its last character, and the type has no letter case. */
  function isSame(one: string, other: string): boolean {
    const [[oneType = "", oneSignature = ""], [otherType = "", otherSignature = ""]] = [one, other].map(
      (text) => text.split("&sig="),
    ) as [string[], string[]];
    const bytes = (text: string): string => Buffer.from(text, "base64").toString("hex");
    return oneType.toLowerCase() === otherType.toLowerCase() && bytes(oneSignature) === bytes(otherSignature);
  }
});

describe("any stored procedure", FUZZED, () => {
  it("is answered, without words that loop", async () => {
    const words = ["function", "()", "{", "}", "return", "throw", "getContext()", ".getResponse()", "new"];
    const more = [".setBody", "(1)", "__", "=", "null", "x", ";", "[", "]", "async", "await", "=>", "'", "`"];
    const soup = fc
      .array(fc.constantFrom(...words, ...more), { maxLength: 12 })
      .map((parts) => parts.join(" "));
    const source = fc.oneof(
      soup,
      soup.map((text) => `function () { ${text} }`),
      fc.string(),
    );
    const script = { link: `${CONTAINER}/sprocs/any` };
    await fc.assert(
      fc.asyncProperty(source, fc.json(), async (text, args) => {
        const body = JSON.stringify({ id: "any", body: text });
        const upsert = { body, headers: { "x-ms-documentdb-is-upsert": "true" } };
        expectService(await fixture.client.signed("POST", { link: CONTAINER, feed: "sprocs" }, upsert));
        expectService(await fixture.client.signed("POST", script, { body: args, headers: keyOf("p") }));
      }),
      { numRuns: 60 },
    );
  });
});
