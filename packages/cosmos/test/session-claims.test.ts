/** The additional cost of an activity of a session, and which worker has the session (src/leases/claim-session.ts). */
import type { FetchedWork } from "@duroxide-ts/core/stores";
import { fetchWork, given } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { allDocuments, type Document } from "./invariants/documents.ts";
import { LOCK_MS, START_MS } from "./support/stage.ts";
import { begin, carryOut, commit, fetchPlanned, finishWork, work } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";
import { WAIT_MS } from "./support/warm-turn.ts";

const stage = useStage("session-claims");

const inSession = (label: string) => ({ activities: [{ label, session: "s" }] });

/** A worker that waits; a list, because a promise that is returned would be awaited. */
async function waiting(ownerId = "first"): Promise<readonly Promise<FetchedWork | undefined>[]> {
  const session = { ownerId, lockTimeoutMs: LOCK_MS };
  const fetch = fetchWork(stage, { session, tagFilter: { kind: "any" }, pollTimeoutMs: WAIT_MS });
  await stage.trap.idle();
  return [fetch];
}

async function requestsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  stage.trap.set(undefined);
  await act();
  return stage.trap.labels.filter((label) => label.startsWith("batch") || label.startsWith("read"));
}

async function stored(type: string): Promise<Document> {
  return given(
    (await allDocuments(stage.raw)).find((each) => each.type === type),
    type,
  );
}

/** The owner of the session within the instance, as Rust stores it. */
function mirror(ownerId: string, lockedUntil: number): object {
  const owner = { sessionId: "s", ownerId, lockedUntil, lastActivity: START_MS, createdAt: START_MS };
  return { id: "a:session:s", instanceId: "a", type: "session", ...owner };
}

describe("a commit locks the activity of a session for a worker that waits", () => {
  it("where the session is new: its owner is one request more", async () => {
    await begin(stage, "a");
    const planned = await fetchPlanned(stage, "a", inSession("one"));
    const [fetch] = await waiting();
    let fetched: FetchedWork | undefined;
    const requests = await requestsOf(async () => {
      await commit(stage, planned);
      fetched = await fetch;
    });
    expect(requests).toHaveLength(2);
    expect(requests[0]).toContain("Create worker_queue, Create session");
    expect(requests[1]).toContain("Create session_owner");
    expect(await stored("session")).toMatchObject({ ownerId: "first", lockedUntil: START_MS + LOCK_MS });
    const other = { ...stage, ...(await stage.openAnother()) };
    await finishWork(stage, given(fetched, "no activity"));
    await carryOut(stage, "a", inSession("two"));
    expect(await work(other, "second")).toBeUndefined();
  });

  it("where the worker has the session: no request more", async () => {
    await begin(stage, "a");
    await carryOut(stage, "a", inSession("one"));
    await finishWork(stage, given(await work(stage, "first"), "no activity"));
    const planned = await fetchPlanned(stage, "a", inSession("two"));
    const [fetch] = await waiting();
    const requests = await requestsOf(async () => {
      await commit(stage, planned);
      await fetch;
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain("Create worker_queue, Replace session");
    expect((await fetch)?.attemptCount).toBe(1);
  });

  it("only for the worker that has the session", async () => {
    await begin(stage, "a");
    await carryOut(stage, "a", inSession("one"));
    await finishWork(stage, given(await work(stage, "first"), "no activity"));
    const planned = await fetchPlanned(stage, "a", inSession("two"));
    const [fetch] = await waiting("second");
    const [request] = await requestsOf(() => commit(stage, planned));
    expect(request).not.toContain("session");
    expect(await stored("worker_queue")).not.toHaveProperty("ownLockToken");
    await stage.clock.advance(WAIT_MS);
    await fetch;
  });

  // commit.K4: what Rust reads of the session is there already.
  it("not where Rust has the session in this instance: the activity is given back, and its attempt does not count", async () => {
    await begin(stage, "a");
    await stage.raw.items.create(mirror("rust", START_MS + 2 * LOCK_MS));
    const planned = await fetchPlanned(stage, "a", inSession("one"));
    const [fetch] = await waiting();
    await commit(stage, planned);
    await stage.trap.idle();
    const row = await stored("worker_queue");
    expect([row["attemptCount"], "ownLockToken" in row]).toEqual([0, false]);
    expect(await stored("session")).toMatchObject({ ownerId: "rust" });
    await stage.clock.advance(WAIT_MS);
    await fetch;
  });

  it("where Rust had the session in this instance, and its lock is over", async () => {
    await begin(stage, "a");
    await stage.raw.items.create(mirror("rust", START_MS - 1));
    const planned = await fetchPlanned(stage, "a", inSession("one"));
    const [fetch] = await waiting();
    await commit(stage, planned);
    expect(await fetch).toMatchObject({ attemptCount: 1 });
    expect(await stored("session")).toMatchObject({ ownerId: "first" });
  });

  it("one activity of a new session, which decides whose the session is", async () => {
    await begin(stage, "a");
    const plan = { activities: ["one", "two"].map((label) => ({ label, session: "s" })) };
    const planned = await fetchPlanned(stage, "a", plan);
    const [first] = await waiting("first");
    const [second] = await waiting("second");
    await commit(stage, planned);
    await stage.trap.idle();
    const rows = (await allDocuments(stage.raw)).filter(({ type }) => type === "worker_queue");
    expect(rows.filter((row) => "ownLockToken" in row)).toHaveLength(1);
    await stage.clock.advance(WAIT_MS);
    await Promise.all([first, second]);
  });
});

it("a claim is written again when half of its time is over", async () => {
  await begin(stage, "a");
  const claims: number[] = [];
  for (const label of ["one", "two", "three"]) {
    await carryOut(stage, "a", inSession(label));
    const requests = await requestsOf(async () => {
      await finishWork(stage, given(await work(stage, "first"), "no activity"));
    });
    claims.push(requests.filter((request) => request.includes("session_owner")).length);
    await stage.clock.advance(LOCK_MS / 2 - 1);
  }
  expect(claims).toEqual([1, 0, 1]);
});

it("the worker that has the session may use it for at least half of a lock", async () => {
  await begin(stage, "a");
  const other = { ...stage, ...(await stage.openAnother()) };
  await carryOut(stage, "a", inSession("one"));
  await finishWork(stage, given(await work(stage, "first"), "no activity"));
  await stage.clock.advance(LOCK_MS / 2);
  await carryOut(stage, "a", inSession("two"));
  await finishWork(stage, given(await work(stage, "first"), "no activity"));
  await carryOut(stage, "a", inSession("three"));
  await stage.clock.advance(LOCK_MS / 2 - 1);
  expect(await work(other, "second")).toBeUndefined();
});
