/** The locks of a process of this machine that has ended are free, and no others (src/fetching/dead-holders.ts). */
import type { ProcessIdentity } from "@duroxide-ts/core/stores";
import {
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  mustFetch,
  raised,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { DEAD, ELSEWHERE, NEXT, SomeProcesses } from "../../../test/support/some-processes.ts";
import { type FileFixture, onFile, openFile, type SqliteCaller } from "./support/fixture.ts";

/** A file with what a process has locked that dies at the end. */
async function openDead(
  dead: ProcessIdentity = DEAD,
  next: ProcessIdentity = NEXT,
): Promise<{ file: FileFixture; next: SqliteCaller; die: () => void }> {
  const processes = new SomeProcesses();
  const file = await openFile({ processes: processes.seenBy(dead) });
  const opened = await file.openAnother({ processes: processes.seenBy(next) });
  return { file, next: opened, die: () => processes.end(dead) };
}

function holdersOf(file: FileFixture): readonly unknown[] {
  return file
    .openRaw()
    .prepare("SELECT pid FROM lock_holders ORDER BY pid")
    .all()
    .map(({ pid }) => pid);
}

describe("the locks of a process that has ended", () => {
  it("of a turn and of an activity are free at once, and count as attempts", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    await createInstance(file, "i", { workerItems: [activity("i", 2)] });
    await fetchWork(file);
    await file.provider.enqueueForOrchestrator(raised("i", "e"));
    const turn = await mustFetch(file);
    expect([await fetchWork(next), await fetchOrchestration(next)]).toEqual([undefined, undefined]);
    die();
    await file.clock.advance(500);

    expect(await fetchWork(next)).toMatchObject({ attemptCount: 2 });
    expect(await mustFetch(next)).toMatchObject({ attemptCount: 2, item: { instanceId: "i" } });
    await expect(file.provider.renewOrchestrationItemLock(turn.lockToken, 1_000)).rejects.toMatchObject({
      code: "lock-lost",
    });
  });

  it("of a session are free, and not those of a process that has the session since", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    const workerItems = [2, 3].map((id) => activity("i", id, { session_id: "s" }));
    await createInstance(file, "i", { workerItems });
    const owner = (ownerId: string, lockTimeoutMs: number) => ({ session: { ownerId, lockTimeoutMs } });
    const first = await fetchWork(file, owner("a", 1_000));
    await file.provider.abandonWorkItem(first?.lockToken ?? "");
    await file.clock.advance(1_001);
    expect((await fetchWork(next, owner("b", 60_000)))?.item.id).toBe(2);
    die();
    await file.clock.advance(1_000);

    expect(await fetchWork(next, owner("c", 60_000))).toBeUndefined();
    expect((await fetchWork(next, owner("b", 60_000)))?.item.id).toBe(3);
  });

  it("are found by a fetch that waits", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    await createInstance(file, "i", { workerItems: [activity("i", 2)] });
    await fetchWork(file);
    const waiting = fetchWork(next, { pollTimeoutMs: 10_000 });
    await file.clock.advance(1_000);
    die();
    await file.clock.advance(600);

    expect(await waiting).toMatchObject({ attemptCount: 2 });
  });

  it("of a session let another worker have it", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    const session = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: 30_000 } });
    await createInstance(file, "i");
    await file.provider.enqueueForWorker(activity("i", 2, { session_id: "s" }));
    await fetchWork(file, session("a"));
    await file.provider.enqueueForWorker(activity("i", 3, { session_id: "s" }));
    expect(await fetchWork(next, session("b"))).toBeUndefined();
    die();
    await file.clock.advance(500);

    const taken = [await fetchWork(next, session("b")), await fetchWork(next, session("b"))];
    expect(taken.map((work) => work?.item.id)).toEqual([2, 3]);
  });

  it("of a limit give their permits back", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    await file.provider.limits.setLimit("k", { rule: { concurrency: 1 }, perMs: 0 });
    const items = [2, 3].map((id) => activity("limited", id, { limit: "k" }));
    await createInstance(file, "limited", { workerItems: items });
    await fetchWork(file);
    expect(await fetchWork(next)).toBeUndefined();
    die();
    await file.clock.advance(500);

    expect(await fetchWork(next)).toMatchObject({ attemptCount: 2 });
    expect(await fetchWork(next)).toBeUndefined();
  });

  it("are free for a process with the same id that began later", async () => {
    const { file, next, die } = await openDead(DEAD, { ...DEAD, began: "300" });
    await using _file = file;
    await createInstance(file, "i", { workerItems: [activity("i", 2)] });
    await fetchWork(file);
    die();
    await file.clock.advance(500);

    expect(await fetchWork(next)).toMatchObject({ attemptCount: 2 });
  });

  it("are free once: its row goes, and those who live keep theirs", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    await createInstance(file, "i", { workerItems: [activity("i", 2), activity("i", 3)] });
    await fetchWork(file);
    await fetchWork(next);
    expect(holdersOf(file)).toEqual([1, 2]);
    die();
    await file.clock.advance(500);
    await fetchWork(next);

    expect(holdersOf(file)).toEqual([2]);
    expect(await fetchWork(next)).toBeUndefined();
  });
});

describe("the locks of others", () => {
  it("last while the process lives", async () => {
    const { file, next } = await openDead();
    await using _file = file;
    await createInstance(file, "i", { workerItems: [activity("i", 2)] });
    await fetchWork(file);
    await file.clock.advance(29_000);

    expect(await fetchWork(next)).toBeUndefined();
  });

  it("last where the process belongs to another machine, boot or container", async () => {
    const { file, next, die } = await openDead(ELSEWHERE);
    await using _file = file;
    await createInstance(file, "i", { workerItems: [activity("i", 2)] });
    await fetchWork(file);
    die();
    await file.clock.advance(29_000);
    expect(await fetchWork(next)).toBeUndefined();
    await file.clock.advance(1_000);

    expect(await fetchWork(next)).toMatchObject({ attemptCount: 2 });
  });

  it("last where this process does not know which one it is", async () => {
    const unknown = { own: () => undefined, hasEnded: () => true };
    await using file = await openFile({ processes: unknown });
    await createInstance(file, "i", { workerItems: [activity("i", 2)] });
    await fetchWork(file);
    const next = await file.openAnother({ processes: new SomeProcesses().seenBy(NEXT) });
    await file.clock.advance(29_000);

    expect(await fetchWork(next)).toBeUndefined();
  });
});

describe("what is no lock", () => {
  it("keeps its time: timers, delays and messages for later", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    await createInstance(file, "i", { workerItems: [activity("i", 2)] });
    const work = await fetchWork(file);
    await file.provider.abandonWorkItem(work?.lockToken ?? "", { delayMs: 20_000 });
    await file.provider.enqueueForOrchestrator(startItem("later"), 20_000);
    die();
    await file.clock.advance(19_000);

    expect([await fetchWork(next), await fetchOrchestration(next)]).toEqual([undefined, undefined]);
  });
});

describe("the row of a process", () => {
  it("is written with its first lock, and again where it was deleted as too old", async () => {
    const { file, next, die } = await openDead();
    await using _file = file;
    await createInstance(next, "i", { workerItems: [2, 3, 4].map((id) => activity("i", id)) });
    await fetchWork(file);
    await file.clock.advance(2 * 86_400_000);
    await file.openAnother({ processes: new SomeProcesses().seenBy({ ...NEXT, pid: 3 }) }).then(fetchWork);
    expect(holdersOf(file)).toEqual([3]);
    await fetchWork(file);
    expect(holdersOf(file)).toEqual([1, 3]);
    die();
    await file.clock.advance(500);

    expect(await fetchWork(next)).toMatchObject({ attemptCount: 2 });
  });

  onFile("is not written by a client", async (file) => {
    await file.provider.enqueueForOrchestrator(startItem("i"));

    expect(holdersOf(file)).toEqual([]);
  });
});
