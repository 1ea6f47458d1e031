/**
 * The cost and the owner of open sessions (docs/decisions/cosmos-finding-work.md); vouch-for-sessions.V1, vouch-for-sessions.V2.
 */
import { activity, fetchWork } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import type { Stage } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const LOCK_MS = 30_000;
const RENEWAL = { ownerIds: ["me"], extendMs: LOCK_MS, idleTimeoutMs: 300_000 };

const as = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: LOCK_MS } });

const stage = useStage("sessions");

/** Open, with nothing to do. */
async function openSessions({ provider, ...stage }: Stage, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await provider.enqueueForWorker(activity("a", n + 1, { session_id: `s${n}` }));
    const fetched = await fetchWork({ provider, ...stage }, as("me"));
    await provider.ackWorkItem(fetched?.lockToken ?? "");
  }
}

async function requestsOf({ trap }: Stage, act: () => Promise<unknown>): Promise<readonly string[]> {
  trap.set(undefined);
  await act();
  return [...trap.labels];
}

describe("open sessions", () => {
  it("are renewed with one request, however many there are", async () => {
    await openSessions(stage, 26);
    expect(await stage.provider.renewSessionLocks(RENEWAL)).toBe(26);
    for (let n = 0; n < 3; n++) {
      await stage.clock.advance(25_000);
      let renewed = 0;
      const requests = await requestsOf(stage, async () => {
        renewed = await stage.provider.renewSessionLocks(RENEWAL);
      });
      expect([renewed, requests.length]).toEqual([26, 1]);
    }
  });

  it("of many workers of one process are renewed with one request, and others find their process", async () => {
    const ownerIds = Array.from({ length: 8 }, (_, n) => `me-${n}`);
    for (const [n, ownerId] of ownerIds.entries()) {
      await stage.provider.enqueueForWorker(activity("a", n + 1, { session_id: `s${n}` }));
      const fetched = await fetchWork(stage, as(ownerId));
      await stage.provider.ackWorkItem(fetched?.lockToken ?? "");
    }
    const renew = () => stage.provider.renewSessionLocks({ ...RENEWAL, ownerIds });
    await renew();
    for (let n = 0; n < 2; n++) {
      await stage.clock.advance(25_000);
      expect(await requestsOf(stage, renew)).toHaveLength(1);
    }
    const other = { ...stage, ...(await stage.openAnother()) };
    await other.provider.enqueueForWorker(activity("b", 1, { session_id: "s3" }));
    expect(await fetchWork(other, as("you"))).toBeUndefined();
  });

  it("cost nothing where there are none", async () => {
    await stage.provider.renewSessionLocks(RENEWAL);
    await stage.clock.advance(25_000);
    expect(await requestsOf(stage, () => stage.provider.renewSessionLocks(RENEWAL))).toEqual([]);
  });

  it("are not given to others while their owner vouches for them, and are free when it no longer does (vouch-for-sessions.V1)", async () => {
    const other = { ...stage, ...(await stage.openAnother()) };
    await openSessions(stage, 2);
    for (let n = 0; n < 4; n++) {
      await stage.clock.advance(25_000);
      expect(await stage.provider.renewSessionLocks(RENEWAL)).toBe(2);
    }
    await other.provider.enqueueForWorker(activity("b", 1, { session_id: "s0" }));
    await stage.clock.advance(LOCK_MS - 1);
    expect(await fetchWork(other, as("you"))).toBeUndefined();
    await stage.clock.advance(2);
    expect(await fetchWork(other, as("you"))).toMatchObject({ item: { instance: "b" } });
    expect(await stage.provider.renewSessionLocks(RENEWAL)).toBe(0);
  });

  it("are not taken for open by an owner that vouched too late (vouch-for-sessions.V2)", async () => {
    const other = { ...stage, ...(await stage.openAnother()) };
    await openSessions(stage, 1);
    await stage.clock.advance(20_000);
    await stage.provider.renewSessionLocks(RENEWAL);
    await stage.clock.advance(LOCK_MS + 1);
    await other.provider.enqueueForWorker(activity("b", 1, { session_id: "s0" }));
    expect(await fetchWork(other, as("you"))).toMatchObject({ item: { instance: "b" } });
    expect(await stage.provider.renewSessionLocks(RENEWAL)).toBe(0);
    await stage.provider.enqueueForWorker(activity("c", 1, { session_id: "s0" }));
    expect(await fetchWork(stage, as("me"))).toBeUndefined();
  });

  it("that are idle end, though their owner vouches for others", async () => {
    const other = { ...stage, ...(await stage.openAnother()) };
    await openSessions(stage, 2);
    const idleTimeoutMs = 40_000;
    for (let n = 0; n < 4; n++) {
      await stage.clock.advance(20_000);
      await stage.provider.enqueueForWorker(activity("a", 10 + n, { session_id: "s0" }));
      const fetched = await fetchWork(stage, as("me"));
      await stage.provider.ackWorkItem(fetched?.lockToken ?? "");
      await stage.provider.renewSessionLocks({ ...RENEWAL, idleTimeoutMs });
    }
    await other.provider.enqueueForWorker(activity("b", 1, { session_id: "s0" }));
    await other.provider.enqueueForWorker(activity("b", 2, { session_id: "s1" }));
    expect(await fetchWork(other, as("you"))).toMatchObject({ item: { instance: "b", id: 2 } });
    expect(await fetchWork(other, as("you"))).toBeUndefined();
  });

  it("are not swept while their owner vouches for them", async () => {
    await openSessions(stage, 3);
    for (let n = 0; n < 2; n++) {
      await stage.clock.advance(25_000);
      await stage.provider.renewSessionLocks(RENEWAL);
    }
    expect(await stage.provider.cleanupOrphanedSessions()).toBe(0);
    await stage.clock.advance(LOCK_MS + 1);
    expect(await stage.provider.cleanupOrphanedSessions()).toBe(3);
  });

  it("are renewed by the next process with the same name", async () => {
    await openSessions(stage, 2);
    await stage.clock.advance(20_000);
    await stage.provider.renewSessionLocks(RENEWAL);
    await stage.clock.advance(20_000);
    const next = await stage.openAnother();
    expect(await next.provider.renewSessionLocks(RENEWAL)).toBe(2);
  });
});
