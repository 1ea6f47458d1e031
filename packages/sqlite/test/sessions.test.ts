/** Activities of a session go to one owner at a time; sessions are global (contract §11). */
import type { FetchedWork, FetchWorkOptions } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Fixture, openMemory } from "./support/fixture.ts";
import { activity, completion } from "./support/messages.ts";
import { fail, fetchWork, LOCK_MS, mustFetchWork } from "./support/turns.ts";

const SESSION_MS = 30_000;

type More = Partial<FetchWorkOptions> & { readonly sessionMs?: number };

function fetchAs(
  { provider }: Fixture,
  ownerId: string,
  { sessionMs = SESSION_MS, ...more }: More = {},
): Promise<FetchedWork | undefined> {
  return fetchWork(provider, { session: { ownerId, lockTimeoutMs: sessionMs }, ...more });
}

/** Ids from 1, one for each session; `undefined` is an activity without one. */
async function enqueue({ provider }: Fixture, ...sessions: (string | undefined)[]): Promise<void> {
  for (const [index, session] of sessions.entries()) {
    const more = session === undefined ? {} : { session_id: session };
    await provider.enqueueForWorker(activity("i", index + 1, more));
  }
}

const idOf = (work: FetchedWork | undefined): unknown => work?.item.id;

describe("a session", () => {
  it("belongs to whoever takes its first activity, and others look past it", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", "s", undefined, "t");
    expect(await fetchAs(store, "a")).toMatchObject({ item: { id: 1, session_id: "s" } });
    expect(idOf(await fetchAs(store, "b"))).toBe(3);
    expect(idOf(await fetchAs(store, "b"))).toBe(4);
    expect(await fetchAs(store, "b")).toBeUndefined();
    expect(idOf(await fetchAs(store, "a"))).toBe(2);
  });

  it("is out of reach for workers without a session owner", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", undefined);
    expect(idOf(await fetchWork(store.provider))).toBe(2);
    expect(await fetchWork(store.provider)).toBeUndefined();
    expect(idOf(await fetchAs(store, "a"))).toBe(1);
  });

  it("mixes with others and with plain activities in queue order", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", undefined, "t", "s", "u");
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(idOf(await fetchAs(store, "a")));
    expect(ids).toEqual([1, 2, 3, 4, 5]);
  });

  it("is one for all instances", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForWorker(activity("one", 1, { session_id: "s" }));
    await store.provider.enqueueForWorker(activity("two", 1, { session_id: "s" }));
    expect((await fetchAs(store, "a"))?.item.instance).toBe("one");
    expect(await fetchAs(store, "b")).toBeUndefined();
    expect((await fetchAs(store, "a"))?.item.instance).toBe("two");
  });

  it("is shared by all who fetch under its owner's name", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", "s", "s");
    const [first, second] = await Promise.all([fetchAs(store, "a"), fetchAs(store, "a")]);
    expect([idOf(first), idOf(second)]).toEqual([1, 2]);
    expect(await fetchAs(store, "b")).toBeUndefined();
  });

  it("goes to one of two owners who ask at the same time", async () => {
    await using store = await openMemory();
    const a = fetchAs(store, "a", { pollTimeoutMs: 1_000 });
    const b = fetchAs(store, "b", { pollTimeoutMs: 1_000 });
    await Promise.all([enqueue(store, "s", "s")]);
    await store.clock.advance(1_000);
    expect([idOf(await a), idOf(await b)].sort()).toEqual([1, undefined]);
  });

  it("respects tags as well", async () => {
    await using store = await openMemory();
    await store.provider.enqueueForWorker(activity("i", 1, { session_id: "s", tag: "gpu" }));
    await store.provider.enqueueForWorker(activity("i", 2, { session_id: "s" }));
    expect(idOf(await fetchAs(store, "a"))).toBe(2);
    expect(await fetchAs(store, "a")).toBeUndefined();
    expect(idOf(await fetchAs(store, "a", { tagFilter: { kind: "any" } }))).toBe(1);
  });

  it("passes to another owner when it expires, and the first does not get it back", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", "s", "s");
    await fetchAs(store, "a", { sessionMs: 50 });
    await store.clock.advance(49);
    expect(await fetchAs(store, "b")).toBeUndefined();
    await store.clock.advance(1);
    expect(idOf(await fetchAs(store, "b"))).toBe(2);
    expect(await fetchAs(store, "a")).toBeUndefined();
  });

  it("can be taken again by its former owner when it expired", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", "s");
    await fetchAs(store, "a", { sessionMs: 50 });
    await store.clock.advance(50);
    expect(idOf(await fetchAs(store, "a"))).toBe(2);
    expect(await fetchAs(store, "b")).toBeUndefined();
  });

  it("wakes a waiting worker when it expires", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", "s");
    await fetchAs(store, "a", { sessionMs: 500 });
    const waiting = fetchAs(store, "b", { pollTimeoutMs: 10_000 });
    await store.clock.advance(500);
    expect(idOf(await waiting)).toBe(2);
  });
});

describe("the lock of a session's activity", () => {
  it("may expire while the session lasts: only its owner gets it again", async () => {
    await using store = await openMemory();
    await enqueue(store, "s");
    await fetchAs(store, "a", { lockTimeoutMs: 500 });
    await store.clock.advance(500);
    expect(await fetchAs(store, "b")).toBeUndefined();
    expect(await fetchAs(store, "a")).toMatchObject({ attemptCount: 2 });
  });

  it("lasts beyond the session: the outcome is accepted", async () => {
    await using store = await openMemory();
    await enqueue(store, "s");
    const work = await mustFetchWork(store.provider, { session: { ownerId: "a", lockTimeoutMs: 50 } });
    await store.clock.advance(100);
    await store.provider.renewWorkItemLock(work.lockToken, LOCK_MS);
    await store.provider.ackWorkItem(work.lockToken, completion("i", 1));
  });

  it("given back goes to the session's new owner", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", "s");
    const work = await mustFetchWork(store.provider, { session: { ownerId: "a", lockTimeoutMs: 200 } });
    await store.clock.advance(200);
    expect(idOf(await fetchAs(store, "b"))).toBe(2);
    await store.provider.abandonWorkItem(work.lockToken);
    expect(await fetchAs(store, "a")).toBeUndefined();
    expect(await fetchAs(store, "b")).toMatchObject({ item: { id: 1 }, attemptCount: 2 });
  });

  it("given back with its attempt ignored counts anew", async () => {
    await using store = await openMemory();
    await enqueue(store, "s");
    const work = await mustFetchWork(store.provider, { session: { ownerId: "a", lockTimeoutMs: 200 } });
    await store.provider.abandonWorkItem(work.lockToken, { delayMs: 1, ignoreAttempt: true });
    await store.clock.advance(1);
    expect(await fetchAs(store, "a")).toMatchObject({ attemptCount: 1 });
  });

  it("and the session may both expire: anybody gets it", async () => {
    await using store = await openMemory();
    await enqueue(store, "s");
    const { lockToken } = await mustFetchWork(store.provider, {
      lockTimeoutMs: 200,
      session: { ownerId: "a", lockTimeoutMs: 200 },
    });
    await store.clock.advance(200);
    expect(await fetchAs(store, "b")).toMatchObject({ attemptCount: 2 });
    await fail(store.provider.ackWorkItem(lockToken), "lock-lost");
  });
});

describe("renewing sessions", () => {
  const renew = ({ provider }: Fixture, idleTimeoutMs: number, ...ownerIds: string[]): Promise<number> =>
    provider.renewSessionLocks({ ownerIds, extendMs: SESSION_MS, idleTimeoutMs });

  it("extends those of all owners named, and tells how many", async () => {
    await using store = await openMemory();
    await enqueue(store, "s", "t", "u", "s");
    expect(await renew(store, 60_000, "a")).toBe(0);
    for (const owner of ["a", "a", "b"]) await fetchAs(store, owner, { sessionMs: 1_000 });
    await store.clock.advance(600);
    expect(await renew(store, 60_000)).toBe(0);
    expect(await renew(store, 60_000, "a", "b", "b", "nobody")).toBe(3);
    await store.clock.advance(600);
    expect(await fetchAs(store, "b")).toBeUndefined();
    expect(idOf(await fetchAs(store, "a"))).toBe(4);
  });

  it("leaves idle and expired ones alone", async () => {
    await using store = await openMemory();
    await enqueue(store, "s");
    await fetchAs(store, "a", { sessionMs: 1_000 });
    expect(await renew(store, 0, "a")).toBe(0);
    await store.clock.advance(200);
    expect(await renew(store, 200, "a")).toBe(0);
    expect(await renew(store, 201, "a")).toBe(1);
    await store.clock.advance(SESSION_MS);
    expect(await renew(store, 60_000_000, "a")).toBe(0);
  });

  it.each(["ackWorkItem", "renewWorkItemLock"] as const)("counts %s as activity", async (method) => {
    await using store = await openMemory();
    await enqueue(store, "s");
    const { lockToken } = await mustFetchWork(store.provider, {
      session: { ownerId: "a", lockTimeoutMs: SESSION_MS },
    });
    await store.clock.advance(250);
    if (method === "ackWorkItem") await store.provider.ackWorkItem(lockToken, completion("i", 1));
    else await store.provider.renewWorkItemLock(lockToken, LOCK_MS);
    expect(await renew(store, 200, "a")).toBe(1);
  });
});

describe("cleaning up sessions", () => {
  it("removes those that expired and have no activity, locked or not", async () => {
    await using store = await openMemory();
    const { provider, clock } = store;
    await enqueue(store, "gone", "kept", "locked", "live");
    for (const sessionMs of [50, 50, 50, 300_000]) {
      const work = await fetchAs(store, "a", { sessionMs });
      if (idOf(work) === 1 || idOf(work) === 4) await provider.ackWorkItem(work?.lockToken ?? "");
      if (idOf(work) === 2) await provider.abandonWorkItem(work?.lockToken ?? "");
    }
    await clock.advance(100);
    expect(await provider.cleanupOrphanedSessions(300_000)).toBe(1);
    expect(await provider.cleanupOrphanedSessions(300_000)).toBe(0);
  });

  it("lets anybody begin the session anew", async () => {
    await using store = await openMemory();
    await enqueue(store, "s");
    const work = await fetchAs(store, "a", { sessionMs: 50 });
    await store.provider.ackWorkItem(work?.lockToken ?? "");
    await store.clock.advance(51);
    expect(await store.provider.cleanupOrphanedSessions(0)).toBe(1);
    await enqueue(store, "s");
    expect(idOf(await fetchAs(store, "b"))).toBe(1);
  });
});
