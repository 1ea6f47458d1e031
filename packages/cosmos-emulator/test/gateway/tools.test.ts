import { describe, expect, it } from "vitest";
import { explorerFile } from "../../src/explorer/index.ts";
import { Fixture, withFixture } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

const get = (fixture: Fixture, path: string, headers: Record<string, string> = {}): Promise<RawResponse> =>
  fixture.client.send({ method: "GET", path, headers });

describe("readiness", () => {
  it.each(["/alive", "/ready"])("is told at %s without a signature", async (path) => {
    await using fixture = await Fixture.start();
    expect((await get(fixture, path)).status).toBe(200);
  });
});

describe("the endpoint's own routes", () => {
  withFixture("are open to programs of this machine, and not to pages of other sites", async (fixture) => {
    const own = new URL(fixture.emulator.endpoint).origin;
    const answers = await Promise.all(
      [
        {},
        { "sec-fetch-site": "same-origin", origin: own },
        { "sec-fetch-site": "none" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.example" },
        { origin: "null" },
        { host: "evil.example" },
        { host: "127.0.0.1.evil.example" },
        { host: "[" },
      ].map((headers) => get(fixture, "/_emulator/faults", headers as Record<string, string>)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403, 403, 403, 403, 403, 403, 403]);
  });

  it("are open to a caller that shows the account's key", async () => {
    await using fixture = await Fixture.start({ allowedHosts: ["emulator.internal"] });
    const shown = { host: "emulator.internal", "x-emulator-key": fixture.emulator.key };
    expect((await get(fixture, "/_emulator/requests", shown)).status).toBe(200);
    const wrong = { ...shown, "x-emulator-key": "wrong" };
    expect((await get(fixture, "/_emulator/requests", wrong)).status).toBe(403);
  });

  it.each([
    ["GET", "/_emulator/nonsense", 404],
    ["GET", "/_emulator", 404],
    ["PATCH", "/_emulator/faults", 405],
    ["POST", "/_emulator/faults/1", 405],
    ["GET", "/_emulator/budget", 405],
    ["GET", "/_emulator/clock", 405],
    ["POST", "/_emulator/requests", 405],
    ["POST", "/_emulator/counts", 405],
    ["GET", "/_emulator/certificate.pem", 404],
  ])("%s %s is answered with %i", async (method, path, status) => {
    await using fixture = await Fixture.start();
    const response = await fixture.client.send({ method, path });
    expect([response.status, typeof response.json.message]).toEqual([status, "string"]);
  });
});

describe("the explorer", () => {
  it("is a page of this origin, which loads nothing from elsewhere and stands in no frame", async () => {
    await using fixture = await Fixture.start({ explorer: explorerFile });
    const page = await get(fixture, "/_explorer/");
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers["content-security-policy"]).toBe("default-src 'self'; frame-ancestors 'none'");
    const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(page.text) ?? [];
    expect((await get(fixture, `/_explorer/${script}`)).headers["content-type"]).toContain("javascript");
    expect((await get(fixture, "/_explorer/nonsense")).status).toBe(404);
    expect((await get(fixture, "/_explorer")).headers.location).toBe("/_explorer/");
  });

  it("reaches the data plane without a signature, from its own page only", async () => {
    await using fixture = await Fixture.start({ explorer: explorerFile });
    await fixture.create({ id: "a", pk: "p" });
    const own = { "sec-fetch-site": "same-origin" };
    const list = await get(fixture, "/_explorer/api/dbs", own);
    expect(list.json.Databases.map((it: { id: string }) => it.id)).toEqual(["db"]);
    const key = { "x-ms-documentdb-partitionkey": '["p"]' };
    const item = await get(fixture, "/_explorer/api/dbs/db/colls/items/docs/a", { ...own, ...key });
    expect(item.json.id).toBe("a");
    expect((await get(fixture, "/_explorer/api/dbs", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await get(fixture, "/_explorer/api/dbs", { host: "evil.example" })).status).toBe(403);
  });

  it("is logged as what it is, not counted, and not hit by faults", async () => {
    await using fixture = await Fixture.start({ explorer: explorerFile });
    fixture.emulator.faults.add({ effect: { kind: "error", status: 503 } });
    const mark = fixture.emulator.requestLog.mark();
    expect((await get(fixture, "/_explorer/api/dbs")).status).toBe(200);
    expect(fixture.emulator.requestLog.entries().at(-1)).toMatchObject({ path: "/dbs", fromExplorer: true });
    expect(fixture.emulator.requestLog.since(mark).total.requests).toBe(0);
  });

  withFixture("is there only where its files are given", async (fixture) => {
    expect((await get(fixture, "/_explorer/")).status).toBe(404);
    expect((await get(fixture, "/_explorer/api/dbs")).status).toBe(404);
  });
});
