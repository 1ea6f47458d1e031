/** On a full disk deletions make room, by the reserve beside the database (docs/decisions/sqlite-files.md). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { activity, createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";
import { DiskReserve, RESERVE_BYTES } from "../src/connection/disk-reserve.ts";
import { callerOf, openFile } from "./support/fixture.ts";

/** A file system of this size needs root on Linux. */
const mayMount = process.platform === "linux" && process.getuid?.() === 0;

class SmallDisk implements Disposable {
  readonly folder: string;
  readonly file: string;

  constructor(megabytes: number) {
    this.folder = mkdtempSync(path.join(tmpdir(), "small-disk-"));
    this.file = path.join(this.folder, "orders.db");
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", this.folder]);
  }

  /** Another program takes what is left. */
  fill(name: string): void {
    try {
      for (let n = 0; ; n++) writeFileSync(path.join(this.folder, `${name}-${n}`), Buffer.alloc(4_096));
    } catch {
      // No room is left.
    }
  }

  /** The other program deletes its files. */
  empty(name: string): void {
    for (const each of readdirSync(this.folder))
      if (each.startsWith(name)) rmSync(path.join(this.folder, each));
  }

  get reserveBytes(): number {
    return statSync(`${this.file}-reserve`, { throwIfNoEntry: false })?.size ?? 0;
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["-l", this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}

/** An instance that fetched work has created, with an activity. */
async function add(provider: SqliteProvider, id: string): Promise<void> {
  await createInstance(callerOf(provider), id);
  await provider.enqueueForWorker(activity(id, 1, { input: "e".repeat(20_000) }));
}

/** Adds instances until the disk is full. */
async function fillStore(provider: SqliteProvider): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const id = `i${ids.length}`;
    try {
      await add(provider, id);
      ids.push(id);
    } catch (error) {
      expect(error).toMatchObject({ code: "store-full" });
      return ids;
    }
  }
}

it("a store that never had much has no reserve", async () => {
  await using store = await openFile();
  await add(store.provider, "i");
  expect(existsSync(`${store.path}-reserve`)).toBe(false);
});

it.runIf(mayMount)(
  "on a full disk instances can be deleted beside a worker, and its work goes on",
  async () => {
    using disk = new SmallDisk(64);
    await using worker = await SqliteProvider.open(disk.file);
    const ids = await fillStore(worker);
    expect(disk.reserveBytes).toBe(RESERVE_BYTES);
    disk.fill("log");
    await using tool = await SqliteProvider.open(disk.file);
    // Several at a time, as the command line does.
    await Promise.all(ids.slice(1).map((id) => tool.admin.deleteInstance(id, { force: true })));
    expect(statSync(disk.file).size).toBeLessThan(20_000_000);
    await add(worker, "after");
  },
);

it.runIf(mayMount)(
  "a store without a log is opened on a full disk, and has its reserve again later",
  async () => {
    using disk = new SmallDisk(64);
    {
      await using worker = await SqliteProvider.open(disk.file);
      for (let n = 0; n < 300; n++) await add(worker, `i${n}`);
    }
    expect(readdirSync(disk.folder).toSorted()).toEqual(["orders.db", "orders.db-reserve"]);
    disk.fill("log");
    {
      await using tool = await SqliteProvider.open(disk.file);
      expect(disk.reserveBytes).toBeGreaterThan(0);
      for (let n = 0; n < 300; n++) await tool.admin.deleteInstance(`i${n}`, { force: true });
    }
    disk.empty("log");
    await using worker = await SqliteProvider.open(disk.file);
    for (let n = 0; n < 300; n++) await add(worker, `j${n}`);
    expect(disk.reserveBytes).toBe(RESERVE_BYTES);
  },
);

it.runIf(mayMount)("the reserve counts as given up until it is made again", async () => {
  using disk = new SmallDisk(64);
  const clock = new VirtualClock();
  const reserve = new DiskReserve(disk.file, clock);
  reserve.keep();
  disk.fill("log");
  reserve.give();
  expect(reserve.isGiven).toBe(true);
  await clock.advance(60_000);
  reserve.keep();
  expect(reserve.isGiven).toBe(true);
  disk.empty("log");
  await clock.advance(60_000);
  reserve.keep();
  expect(reserve.isGiven).toBe(false);
  expect(disk.reserveBytes).toBe(RESERVE_BYTES);
});

it.runIf(mayMount)("an open without room says that the disk is full", async () => {
  using disk = new SmallDisk(8);
  await (await SqliteProvider.open(disk.file)).close();
  disk.fill("log");
  await expect(SqliteProvider.open(disk.file)).rejects.toMatchObject({ code: "store-full" });
});
