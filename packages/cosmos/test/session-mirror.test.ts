/** Tests what a worker in Rust reads of a session, and its claims (src/leases/session-mirror.ts). */
import type { FetchedWork } from "@duroxide-ts/core/stores";
import { fetchWork, given } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { allDocuments, type Document } from "./invariants/documents.ts";
import { LOCK_MS, START_MS } from "./support/stage.ts";
import { begin, carryOut, commit, fetchPlanned, finishWork, work } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";
import { WAIT_MS } from "./support/warm-turn.ts";

const stage = useStage("session-mirror");

/** Much shorter than that of an activity. */
const SESSION_MS = 2_000;

const inSession = (...labels: readonly string[]) => ({
  activities: labels.map((label) => ({ label, session: "s" })),
});

async function mirrors(): Promise<readonly Document[]> {
  return (await allDocuments(stage.raw)).filter(({ type }) => type === "session");
}

async function mirrorEndMs(): Promise<number> {
  const [mirror] = await mirrors();
  return Number(given(mirror, "no session")["lockedUntil"]);
}

/** Replaces the document as Rust does when it claims the session: with the fields that it knows. */
async function claimedByRust(lockedUntil: number): Promise<void> {
  const owner = { sessionId: "s", ownerId: "rust", lockedUntil, lastActivity: START_MS, createdAt: START_MS };
  await stage.raw.items.upsert({ id: "a:session:s", instanceId: "a", type: "session", ...owner });
}

async function mustHave(got: Promise<FetchedWork | undefined>): Promise<FetchedWork> {
  return given(await got, "no activity");
}

it("lasts as long as the activity that runs, and is renewed with it (session-mirror.SM3)", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", inSession("one"));
  const { lockToken } = await mustHave(work(stage, "first", SESSION_MS));
  expect(await mirrorEndMs()).toBe(START_MS + LOCK_MS);
  await stage.clock.advance(LOCK_MS - 1_000);
  await stage.provider.renewWorkItemLock(lockToken, LOCK_MS);
  expect(await mirrorEndMs()).toBe(START_MS + 2 * LOCK_MS - 1_000);
});

it("lasts as long as an activity that a commit has locked for a worker that waits (session-mirror.SM3)", async () => {
  await begin(stage, "a");
  const planned = await fetchPlanned(stage, "a", inSession("one"));
  const session = { ownerId: "first", lockTimeoutMs: SESSION_MS };
  const fetch = fetchWork(stage, { session, tagFilter: { kind: "any" }, pollTimeoutMs: WAIT_MS });
  await stage.trap.idle();
  await commit(stage, planned);
  const { lockToken } = await mustHave(fetch);
  expect(await mirrorEndMs()).toBe(START_MS + LOCK_MS);
  await stage.clock.advance(LOCK_MS - 1_000);
  await stage.provider.renewWorkItemLock(lockToken, LOCK_MS);
  expect(await mirrorEndMs()).toBe(START_MS + 2 * LOCK_MS - 1_000);
});

it("is not renewed over a claim of Rust (session-mirror.SM1)", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", inSession("one"));
  const { lockToken } = await mustHave(work(stage, "first"));
  await claimedByRust(START_MS + 2 * LOCK_MS);
  await stage.clock.advance(LOCK_MS / 2);
  await stage.provider.renewWorkItemLock(lockToken, LOCK_MS);
  expect(await mirrors()).toMatchObject([{ ownerId: "rust" }]);
});

it("of Rust, on a session that this process has, keeps its next activity from it while it holds (session-mirror.SM1)", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", inSession("one"));
  await finishWork(stage, await mustHave(work(stage, "first", 10 * LOCK_MS)));
  await claimedByRust(START_MS + LOCK_MS);
  await carryOut(stage, "a", inSession("two"));
  expect(await work(stage, "first", 10 * LOCK_MS)).toBeUndefined();
  expect(await mirrors()).toMatchObject([{ ownerId: "rust" }]);
  const rows = (await allDocuments(stage.raw)).filter(({ type }) => type === "worker_queue");
  expect(rows).toMatchObject([{ attemptCount: 0, visibleAt: START_MS }]);
  await stage.clock.advance(LOCK_MS + 1);
  await finishWork(stage, await mustHave(work(stage, "first", 10 * LOCK_MS)));
  expect(await mirrors()).toMatchObject([{ ownerId: "first" }]);
});

it("of Rust keeps activities from the workers for which a commit has locked them (session-mirror.SM1)", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", inSession("one"));
  await finishWork(stage, await mustHave(work(stage, "first")));
  const planned = await fetchPlanned(stage, "a", inSession("two", "three"));
  await claimedByRust(START_MS + 2 * WAIT_MS);
  const session = { ownerId: "first", lockTimeoutMs: LOCK_MS };
  const options = { session, tagFilter: { kind: "any" }, pollTimeoutMs: WAIT_MS } as const;
  const fetches = [fetchWork(stage, options), fetchWork(stage, options)];
  await stage.trap.idle();
  await commit(stage, planned);
  await stage.trap.idle();
  expect(await mirrors()).toMatchObject([{ ownerId: "rust" }]);
  const rows = (await allDocuments(stage.raw)).filter(({ type }) => type === "worker_queue");
  expect(rows.map((row) => [row["attemptCount"], "ownLockToken" in row])).toEqual([
    [0, false],
    [0, false],
  ]);
  await stage.clock.advance(WAIT_MS);
  expect(await Promise.all(fetches)).toEqual([undefined, undefined]);
});

it("of a process of ours keeps no other one from the session (session-mirror.SM2)", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", inSession("one", "two"));
  await mustHave(work(stage, "first", SESSION_MS));
  const other = { ...stage, ...(await stage.openAnother()) };
  expect(await work(other, "second", SESSION_MS)).toBeUndefined();
  await stage.clock.advance(SESSION_MS + 1);
  expect(await mustHave(work(other, "second", SESSION_MS))).toMatchObject({ attemptCount: 1 });
  expect(await mirrors()).toMatchObject([{ ownerId: "second" }]);
});

it("is removed with its session, when its lock is over, and counts as no session", async () => {
  await begin(stage, "a", "b");
  for (const id of ["a", "b"]) {
    await carryOut(stage, id, inSession("one"));
    await finishWork(stage, await mustHave(work(stage, "first")));
  }
  expect(await stage.provider.cleanupOrphanedSessions()).toBe(0);
  expect(await mirrors()).toHaveLength(2);
  await stage.clock.advance(LOCK_MS + 1);
  expect(await stage.provider.cleanupOrphanedSessions()).toBe(1);
  expect(await mirrors()).toEqual([]);
  await carryOut(stage, "a", inSession("two"));
  await finishWork(stage, await mustHave(work(stage, "first")));
  expect(await mirrors()).toMatchObject([{ ownerId: "first" }]);
});

it("is not stored for an activity that Rust does not meet (session-mirror.SM4)", async () => {
  await begin(stage, "a", "b/c");
  for (const [id, session] of [
    ["a", "s/t"],
    ["b/c", "s"],
  ] as const) {
    await carryOut(stage, id, { activities: [{ label: "one", session }] });
    await finishWork(stage, await mustHave(work(stage, "first")));
  }
  expect(await mirrors()).toEqual([]);
});
