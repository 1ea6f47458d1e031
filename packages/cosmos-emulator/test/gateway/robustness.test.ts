/** Hostile requests are refused or harmless, and a failure of the endpoint itself is answered and reported. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTAINER, Fixture } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";
import { BATCH, QUERY, startWatched, type WatchedFixture } from "./support/watched-fixture.ts";

let fixture: Fixture;
let post: WatchedFixture["post"];
let expectService: WatchedFixture["expectService"];

beforeAll(async () => {
  ({ fixture, post, expectService } = await startWatched());
});

afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

function postTo(feed: string, body: object): Promise<RawResponse> {
  return fixture.client.signed("POST", { link: CONTAINER, feed }, { body: JSON.stringify(body) });
}

/** A patch with a value in JSON text. */
function setTo(value: string): string {
  return `[{"op":"set","path":"/x","value":${value}}]`;
}

function ask(query: string, parameters: readonly object[] = []): string {
  return JSON.stringify({ query, parameters });
}

describe("hostile input", () => {
  const LONG = "x".repeat(2 * 1024 * 1024);

  it.each([
    ["an item", () => post(`{"id":"large","pk":"p","x":"${LONG}"}`, {})],
    ["a patch", () => fixture.item("PATCH", "p", "a", { body: setTo(`"${LONG}"`) })],
    ["a batch", () => post(`[{"operationType":"Read","id":"${LONG}"}]`, BATCH)],
    ["a query", () => post(ask(`SELECT '${LONG}'`), QUERY)],
    ["a parameter", () => post(ask("SELECT @p", [{ name: "@p", value: LONG }]), QUERY)],
    ["a stored procedure", () => postTo("sprocs", { id: "large", body: LONG })],
  ])("that is larger than 2 MB is refused with 413: %s", async (_, send) => {
    const response = await send();
    expectService(response);
    expect(response.status).toBe(413);
  });

  it("that is a query of more than 512 KB is refused with 400", async () => {
    const response = await post(ask(`SELECT '${"x".repeat(512 * 1024)}'`), QUERY);
    expectService(response);
    expect(response.status).toBe(400);
  });

  it("that is nested too deeply is refused in patches, parameters, keys and definitions", async () => {
    await fixture.upsert({ id: "a", pk: "p" });
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const inHeader = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const responses = [
      await fixture.item("PATCH", "p", "a", { body: setTo(deep) }),
      await post(`{"query":"SELECT @p","parameters":[{"name":"@p","value":${deep}}]}`, QUERY),
      await fixture.client.signed(
        "POST",
        { link: "dbs/db", feed: "colls" },
        { body: `{"id":"x","partitionKey":${deep}}` },
      ),
      await fixture.client.send({ method: "POST", path: "/_emulator/faults", body: deep }),
      await post("{}", { "x-ms-documentdb-partitionkey": inHeader }),
      await post(ask("SELECT * FROM c"), { ...QUERY, "x-ms-continuation": inHeader }),
    ];
    for (const response of responses) expectService(response);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400));
  });

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

  it("is survived even if the listener to it fails too", async () => {
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
