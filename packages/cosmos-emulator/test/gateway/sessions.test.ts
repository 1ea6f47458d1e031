import { describe, expect, it } from "vitest";
import { CONTAINER, Fixture, withFixture } from "./support/fixture.ts";

const IN_SESSION = (token: unknown): { headers: Record<string, string> } => ({
  headers: { "x-ms-session-token": String(token) },
});

describe("a session token", () => {
  it("in the forms of the clients is read, and of two for one range the one ahead counts", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "a", pk: "p" });
    const status = async (token: string): Promise<number> =>
      (await fixture.item("GET", "p", "a", IN_SESSION(token))).status;
    for (const token of ["0:2", "0:-1#2", "0:1#2#4=-1", "1:-1#99,0:-1#2", ""])
      expect(await status(token), token).toBe(200);
    expect(await status("0:-1#99,0:-1#2")).toBe(404);
  });

  withFixture("that is malformed is refused with 400", async (fixture) => {
    await fixture.create({ id: "a", pk: "p" });
    expect((await fixture.item("GET", "p", "a", IN_SESSION("nonsense"))).status).toBe(400);
  });

  withFixture("does not matter to a write", async (fixture) => {
    expect((await fixture.create({ id: "a", pk: "p" }, IN_SESSION("0:-1#99").headers)).status).toBe(201);
  });
});

describe("a consistency level", () => {
  const at = (level: string): { headers: Record<string, string> } => ({
    headers: { "x-ms-consistency-level": level },
  });

  it.each(["Session", "session", "ConsistentPrefix", "Eventual", ""])("of %j is served", async (level) => {
    await using fixture = await Fixture.start();
    expect((await fixture.create({ id: "a", pk: "p" }, at(level).headers)).status).toBe(201);
    expect((await fixture.item("GET", "p", "a", at(level))).status).toBe(200);
  });
});

describe("a stale read", () => {
  const STALE = { match: { operation: "read" }, effect: { kind: "staleRead", writesBehind: 2 } } as const;

  it("without a session sees its partition some writes behind, in reads, queries and feeds", async () => {
    await using fixture = await Fixture.start();
    await fixture.create({ id: "a", pk: "p", n: 1 });
    await fixture.upsert({ id: "a", pk: "p", n: 2 });
    await fixture.upsert({ id: "a", pk: "p", n: 3 });
    fixture.emulator.faults.add(STALE);
    expect((await fixture.item("GET", "p", "a")).json.n).toBe(1);
    expect((await fixture.query("SELECT VALUE c.n FROM c", "p")).json.Documents).toEqual([1]);
    const feed = await fixture.client.signed("GET", { link: CONTAINER, feed: "docs" });
    expect(feed.json.Documents.map(({ n }: { n: number }) => n)).toEqual([1]);
    await fixture.create({ id: "b", pk: "p" });
    expect((await fixture.item("GET", "p", "b")).status).toBe(404);
    fixture.emulator.faults.clear();
    expect((await fixture.item("GET", "p", "a")).json.n).toBe(3);
  });

  withFixture("says how far its replica is", async (fixture) => {
    const first = await fixture.create({ id: "a", pk: "p", n: 1 });
    await fixture.upsert({ id: "a", pk: "p", n: 2 });
    await fixture.upsert({ id: "a", pk: "p", n: 3 });
    fixture.emulator.faults.add(STALE);
    const answers = [
      await fixture.item("GET", "p", "a"),
      await fixture.query("SELECT VALUE c.n FROM c", "p"),
      await fixture.client.signed("GET", { link: CONTAINER, feed: "docs" }),
    ];
    const tokenOf = ({ headers }: (typeof answers)[number]): unknown => headers["x-ms-session-token"];
    expect(answers.map(tokenOf)).toEqual(Array(3).fill(tokenOf(first)));
    await fixture.create({ id: "b", pk: "p" });
    const absent = await fixture.item("GET", "p", "b");
    expect([absent.status, tokenOf(absent)]).toEqual([404, "0:-1#3"]);
  });

  withFixture("is never older than the session of its reader", async (fixture) => {
    await fixture.create({ id: "a", pk: "p", n: 1 });
    const second = await fixture.upsert({ id: "a", pk: "p", n: 2 });
    const third = await fixture.upsert({ id: "a", pk: "p", n: 3 });
    fixture.emulator.faults.add(STALE);
    const readWith = async (token: unknown): Promise<number> =>
      (await fixture.item("GET", "p", "a", IN_SESSION(token))).json.n;
    expect(await readWith(third.headers["x-ms-session-token"])).toBe(3);
    expect(await readWith(second.headers["x-ms-session-token"])).toBe(2);
    expect(await readWith("0:-1#2")).toBe(1);
  });

  withFixture("does not mislead a conditional write", async (fixture) => {
    await fixture.create({ id: "a", pk: "p", n: 1 });
    await fixture.upsert({ id: "a", pk: "p", n: 2 });
    fixture.emulator.faults.add(STALE);
    const stale = await fixture.item("GET", "p", "a");
    expect(stale.status).toBe(404);
    fixture.emulator.faults.clear();
    fixture.emulator.faults.add({ ...STALE, effect: { kind: "staleRead", writesBehind: 1 } });
    const { headers } = await fixture.item("GET", "p", "a");
    const replace = { body: '{"id":"a","pk":"p"}', headers: { "if-match": headers.etag } };
    expect((await fixture.item("PUT", "p", "a", replace)).status).toBe(412);
  });
});
