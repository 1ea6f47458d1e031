import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture } from "./support/fixture.ts";
import type { RawResponse } from "./support/raw-client.ts";

function readFeed(fixture: Fixture, headers: Record<string, string>): Promise<RawResponse> {
  const target = { link: CONTAINER, feed: "docs" };
  const mode = { "A-IM": "Incremental Feed", "x-ms-documentdb-partitionkeyrangeid": "0" };
  return fixture.client.signed("GET", target, { headers: { ...mode, ...headers } });
}

const idsOf = ({ json }: RawResponse): string[] => json.Documents.map((item: { id: string }) => item.id);

describe("the change feed", () => {
  it("gives each item once at its latest version, and 304 with the position when there is no news", async () => {
    await using fixture = await Fixture.start();
    for (const id of ["a", "b"]) await fixture.create({ id, pk: "p" });
    await fixture.upsert({ id: "a", pk: "p", n: 1 });
    const first = await readFeed(fixture, {});
    expect([first.status, idsOf(first)]).toEqual([200, ["b", "a"]]);
    expect(first.headers.etag).toMatch(/^"\d+"$/);
    expect(first.json.Documents[0]._lsn).toBe(3);
    const none = await readFeed(fixture, { "If-None-Match": String(first.headers.etag) });
    expect([none.status, none.text, none.headers.etag]).toEqual([304, "", first.headers.etag]);
    await fixture.create({ id: "c", pk: "p" });
    expect(idsOf(await readFeed(fixture, { "If-None-Match": String(first.headers.etag) }))).toEqual(["c"]);
  });

  it("begins now if asked to", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "a", pk: "p" });
    const now = await readFeed(fixture, { "If-None-Match": "*" });
    expect(now.status).toBe(304);
    await fixture.create({ id: "b", pk: "p" });
    expect(idsOf(await readFeed(fixture, { "If-None-Match": String(now.headers.etag) }))).toEqual(["b"]);
  });

  it("begins at a time", async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    await using fixture = await Fixture.start({ now: () => nowMs });
    await fixture.create({ id: "a", pk: "p" });
    nowMs += 60_000;
    const since = new Date(nowMs).toUTCString();
    await fixture.create({ id: "b", pk: "p" });
    expect(idsOf(await readFeed(fixture, { "If-Modified-Since": since }))).toEqual(["b"]);
    expect((await readFeed(fixture, { "If-Modified-Since": "yesterday" })).status).toBe(400);
  });

  it("comes in pages", async () => {
    await using fixture = await Fixture.start();
    for (const id of ["a", "b", "c"]) await fixture.create({ id, pk: "p" });
    const first = await readFeed(fixture, { "x-ms-max-item-count": "2" });
    expect(idsOf(first)).toEqual(["a", "b"]);
    const more = { "x-ms-max-item-count": "2", "If-None-Match": String(first.headers.etag) };
    expect(idsOf(await readFeed(fixture, more))).toEqual(["c"]);
  });

  it("is refused in modes that need continuous backup, and in unknown ones", async () => {
    await using fixture = await Fixture.start();
    expect((await readFeed(fixture, { "A-IM": "Full-Fidelity Feed" })).status).toBe(400);
    expect((await readFeed(fixture, { "A-IM": "everything" })).status).toBe(400);
    expect((await readFeed(fixture, { "A-IM": "INCREMENTAL feed" })).status).toBe(304);
  });
});

describe("the partition key ranges", () => {
  const read = (fixture: Fixture, headers: Record<string, string> = {}): Promise<RawResponse> =>
    fixture.client.signed("GET", { link: CONTAINER, feed: "pkranges" }, { headers });

  it("tile the whole key space", async () => {
    await using fixture = await Fixture.start({ physicalPartitions: 3 });
    const { json } = await read(fixture);
    const ranges = json.PartitionKeyRanges;
    expect(ranges.map((range: { id: string }) => range.id)).toEqual(["0", "1", "2"]);
    expect([ranges[0].minInclusive, ranges[2].maxExclusive]).toEqual(["", "FF"]);
    expect([ranges[1].minInclusive, ranges[2].minInclusive]).toEqual([
      ranges[0].maxExclusive,
      ranges[1].maxExclusive,
    ]);
    expect(ranges[0]).toMatchObject({
      status: "online",
      parents: [],
      ridPrefix: 0,
      _rid: expect.any(String),
    });
  });

  it("are read by an incremental feed until there is no news", async () => {
    await using fixture = await Fixture.start();
    const first = await read(fixture, { "A-IM": "Incremental feed" });
    expect(first.status).toBe(200);
    const etag = String(first.headers.etag);
    const again = await read(fixture, { "A-IM": "Incremental feed", "If-None-Match": etag });
    expect([again.status, again.headers.etag]).toEqual([304, etag]);
  });
});
