/** Whatever arrives is answered with a status of the service and a message, and the endpoint goes on. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTAINER, Fixture, keyOf } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

const DOCS = { link: CONTAINER, feed: "docs" };
const BATCH = { "x-ms-cosmos-is-batch-request": "true" };
const QUERY = { "content-type": "application/query+json", "x-ms-documentdb-isquery": "true" };

let fixture: Fixture;
const failures: unknown[] = [];

beforeAll(async () => {
  fixture = await Fixture.start({ onFailure: (error) => failures.push(error) });
});

afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** Refused by the service's rules, or served; never a failure of the endpoint. */
function expectService({ status, text, json }: RawResponse): void {
  expect(failures.splice(0)).toEqual([]);
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status, text).toBeLessThan(500);
  if (status >= 400) expect(json).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

function post(body: string | Buffer, headers: Record<string, string>): Promise<RawResponse> {
  return fixture.client.signed("POST", DOCS, { body, headers: { ...keyOf("p"), ...headers } });
}

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
const FUZZED = { timeout: 60_000 };

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
        expect(response.status, response.text).toBeLessThan(500);
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

describe("hostile input", FUZZED, () => {
  it.each([
    ["deeply nested lists", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["deeply nested objects", `{"id":"a","pk":"p","x":${'{"x":'.repeat(5_000)}1${"}".repeat(5_000)}}`],
    ["nesting that is one level too deep", `{"id":"a","pk":"p","x":${"[".repeat(128)}${"]".repeat(128)}}`],
  ])("%s are refused with 400", async (_, body) => {
    expect((await post(body, {})).status).toBe(400);
    expect((await post(`[{"operationType":"Create","resourceBody":${body}}]`, BATCH)).status).toBe(400);
  });

  it.each([
    "'; DROP TABLE resources; --",
    "SELECT * FROM c; DELETE FROM c",
    "SELECT * FROM c WHERE c.id = 'x' UNION SELECT * FROM sqlite_master",
    "SELECT load_extension('x') FROM c",
    "SELECT * FROM sqlite_master",
    `SELECT ${"(".repeat(2_000)}1${")".repeat(2_000)} FROM c`,
    `SELECT * FROM c WHERE ${Array.from({ length: 5_000 }, () => "c.a = 1").join(" OR ")}`,
    `SELECT * FROM c WHERE c.a IN (${Array.from({ length: 20_000 }, (_, n) => n).join()})`,
    "SELECT * FROM c WHERE REGEXMATCH(c.id, '(a+)+$')",
    "SELECT * FROM c WHERE c['\0'] = '\0'",
  ])("as SQL is refused or harmless (case %#)", async (query) => {
    expectService(await post(JSON.stringify({ query }), QUERY));
    expect((await fixture.client.signed("GET", { link: CONTAINER })).status).toBe(200);
  });

  it("in names that JavaScript knows is stored like any other", async () => {
    const text = '{"id":"__proto__","pk":"p","__proto__":{"polluted":true},"constructor":1}';
    expect((await post(text, {})).status).toBe(201);
    const { text: stored } = await fixture.item("GET", "p", "__proto__");
    expect(stored).toContain('"__proto__":{"polluted":true}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("a failure of the endpoint itself", () => {
  it("is answered with 500 and no details, told, and logged with its stack", async () => {
    const told: unknown[] = [];
    const broken = new Error("no timers left");
    await using other = await Fixture.start({
      wait: () => Promise.reject(broken),
      onFailure: (error, request) => told.push([error, request.method]),
    });
    other.emulator.faults.add({ next: 1, effect: { kind: "delay", delayMs: 1 } });
    const response = await other.create({ id: "a", pk: "p" });
    expect([response.status, response.json.code]).toEqual([500, "InternalServerError"]);
    expect(response.text).not.toContain("timers");
    expect(told).toEqual([[broken, "POST"]]);
    expect(other.emulator.requestLog.entries().at(-1)?.failure).toContain("no timers left");
    expect((await other.create({ id: "a", pk: "p" })).status).toBe(201);
  });

  it("is survived even if the one who is told of it fails too", async () => {
    await using other = await Fixture.start({
      wait: () => Promise.reject(new Error("no timers left")),
      onFailure: () => {
        throw new Error("no ears");
      },
    });
    other.emulator.faults.add({ next: 1, effect: { kind: "delay", delayMs: 1 } });
    expect((await other.create({ id: "a", pk: "p" })).status).toBe(500);
    expect(other.emulator.requestLog.entries().at(-1)?.failure).toContain("no ears");
  });
});
