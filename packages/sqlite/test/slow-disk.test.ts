/** Commits on a disk whose syncs are slow (commit/log-sync.ts). */
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { nextRound } from "@duroxide-ts/core/stores";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { toProviderError } from "../src/connection/sqlite-error.ts";
import { getInstanceStatus } from "../src/operations/get-instance-status.ts";
import { temporaryFolder } from "./support/fixture.ts";
import { openSlow, type SlowStore } from "./support/slow-disk.ts";

const LOCKS = { lockTimeoutMs: 60_000, pollTimeoutMs: 0 };

async function rounds(count = 5): Promise<void> {
  for (let n = 0; n < count; n++) await nextRound();
}

/** Whether the promise has been settled after some rounds of the event loop. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  promise.then(note, note);
  await rounds();
  return settled;
}

function look({ store }: SlowStore): Promise<unknown> {
  return store.read("getInstanceStatus", (db) => getInstanceStatus(db, "any", store.lastStatuses));
}

describe("where commits are slow, the process goes on while the log is synced, and", () => {
  it("a caller is told after the sync (log-sync.LS1)", async () => {
    using folder = temporaryFolder();
    await using slow = await openSlow(folder.file("test.db"));
    await slow.slowDown();
    slow.disk.isHeld = true;
    const started = slow.start("i");
    expect(await isSettled(started)).toBe(false);
    slow.disk.release();
    expect(await started).toBe("stored");
  });

  it("a read waits for the sync of what it may see (log-sync.LS1)", async () => {
    using folder = temporaryFolder();
    await using slow = await openSlow(folder.file("test.db"));
    await slow.slowDown();
    slow.disk.isHeld = true;
    const started = slow.start("i");
    await rounds();
    const read = look(slow);
    expect(await isSettled(read)).toBe(false);
    slow.disk.release();
    await read;
    await started;
  });

  it("a fetch gets its work after the sync of the lock (log-sync.LS1)", async () => {
    using folder = temporaryFolder();
    await using slow = await openSlow(folder.file("test.db"));
    await slow.slowDown();
    slow.disk.isHeld = true;
    const fetched = slow.store.fetchOrchestration(LOCKS);
    expect(await isSettled(fetched)).toBe(false);
    slow.disk.release();
    expect(await fetched).toBeDefined();
  });

  it("a sync that fails rejects its callers, and SQLite syncs the next commit (log-sync.LS4)", async () => {
    using folder = temporaryFolder();
    await using slow = await openSlow(folder.file("test.db"));
    await slow.slowDown();
    slow.disk.fails = true;
    await expect(slow.start("i")).rejects.toMatchObject({ code: "unavailable" });
    slow.disk.isHeld = true;
    expect(await slow.start("j")).toBe("stored");
    slow.disk.release();
  });

  it("SQLite goes on to sync where the log cannot be opened, for want of a descriptor (log-sync.LS5)", async () => {
    using folder = temporaryFolder();
    await using slow = await openSlow(folder.file("test.db"));
    slow.disk.opens = false;
    await slow.slowDown();
    expect(await slow.start("i")).toBe("stored");
    expect(slow.disk.syncs).toBe(0);
    slow.disk.opens = true;
    await slow.slowDown();
    await slow.start("j");
    expect(slow.disk.syncs).toBeGreaterThan(0);
  });

  it("a read that cannot open the log says to close files (log-sync.LS3)", async () => {
    const cause = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    expect(toProviderError("compact", cause)).toMatchObject({
      code: "unavailable",
      retryable: true,
      message: expect.stringMatching(/EMFILE.*close files/),
    });
  });

  it("SQLite syncs again when many syncs were quick", async () => {
    using folder = temporaryFolder();
    await using slow = await openSlow(folder.file("test.db"));
    await slow.slowDown();
    slow.disk.quickMs = 1;
    for (let n = 0; n < 64; n++) await slow.start(`quick-${n}`);
    const before = slow.disk.syncs;
    await slow.start("i");
    expect(slow.disk.syncs).toBe(before);
  });

  it("another process syncs what it has read before it answers (log-sync.LS3)", async () => {
    using folder = temporaryFolder();
    await using slow = await openSlow(folder.file("test.db"));
    await using other = await openSlow(folder.file("test.db"), slow.clock);
    await look(other);
    expect(other.disk.syncs).toBe(0);
    await slow.slowDown();
    slow.disk.isHeld = true;
    const started = slow.start("i");
    await rounds();
    other.disk.isHeld = true;
    const read = look(other);
    expect(await isSettled(read)).toBe(false);
    other.disk.release();
    await read;
    await look(other);
    expect(other.disk.syncs).toBe(1);
    slow.disk.release();
    await started;
  });
});

it("no commit is synced apart before others know of it (log-sync.LS3)", async () => {
  using folder = temporaryFolder();
  await using slow = await openSlow(folder.file("test.db"));
  for (let n = 0; n < 30; n++) await slow.start(`i-${n}`);
  expect(slow.disk.syncs).toBe(0);
});

const PAGE = 2_048;
const FRAME = 24 + PAGE;

it("a power failure takes back nothing of which a caller was told, at whatever frame it cuts the log", async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  await using slow = await openSlow(path);
  await slow.slowDown();
  const told: string[] = [];
  let syncedBytes = statSync(`${path}-wal`).size;
  slow.disk.onSynced = () => {
    syncedBytes = statSync(`${path}-wal`).size;
  };
  for (let n = 0; n < 6; n++) {
    slow.disk.isHeld = true;
    const started = slow.start(`told-${n}`).then(() => told.push(`told-${n}`));
    await rounds();
    const log = readFileSync(`${path}-wal`);
    expect(log.length).toBeGreaterThan(syncedBytes);
    for (let bytes = syncedBytes; bytes <= log.length; bytes += FRAME) {
      const cut = folder.file(`cut-${n}-${bytes}.db`);
      copyFileSync(path, cut);
      writeFileSync(`${cut}-wal`, log.subarray(0, bytes));
      await using provider = await SqliteProvider.open(cut, { clock: slow.clock });
      for (const id of told) expect(await idsOf(provider)).toContain(id);
    }
    slow.disk.release();
    await started;
  }
  expect(told).toHaveLength(6);
});

async function idsOf({ admin }: SqliteProvider): Promise<readonly string[]> {
  const { work } = await admin.listWork({ limit: 100 });
  return work.map(({ instanceId }) => instanceId);
}
