/** The file shrinks (compaction.ts), and a log that cannot shrink is logged (checkpoint-watch.ts). */
import { spawnSync } from "node:child_process";
import { copyFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Logger } from "@duroxide-ts/core";
import { complete, createInstance, eventOf, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import {
  callerOf,
  type FileFixture,
  onFile,
  openFile,
  type SqliteCaller,
  temporaryFolder,
} from "./support/fixture.ts";

const MB = 1024 * 1024;

const FAST = { durability: "process" } as const;

/** Finished instances of a megabyte each. */
async function fill(store: SqliteCaller, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const input = "x".repeat(MB);
    const historyDelta = [eventOf("ExternalEvent", `big-${n}`, 2, { name: "e", data: input })];
    await createInstance(store, `big-${n}`, { historyDelta });
    await complete(store, `big-${n}`);
  }
}

/** A file like those before files could shrink. */
function makeOld(path: string): void {
  const raw = new DatabaseSync(path);
  raw.exec("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL");
  raw.close();
}

function pages(raw: DatabaseSync): { readonly free: number; readonly all: number } {
  const number = (name: string): number =>
    Number(Object.values(raw.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return { free: number("freelist_count"), all: number("page_count") };
}

describe("a bulk deletion", () => {
  it("gives back the room of what it deleted, but for what is soon needed again", async () => {
    await using store = await openFile(FAST);
    await fill(store, 8);
    const raw = store.openRaw();
    expect(pages(raw).all).toBeGreaterThan(4_000);
    await store.provider.admin.deleteInstances({});
    expect(pages(raw).free).toBeLessThanOrEqual(1_024);
    expect(pages(raw).all).toBeLessThan(2_000);
    expect(raw.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  it("lets other calls through while it does", async () => {
    await using store = await openFile(FAST);
    await fill(store, 8);
    const order: string[] = [];
    const deleting = store.provider.admin.deleteInstances({}).then(() => order.push("deleted"));
    for (let n = 0; n < 8; n++) {
      await store.provider.enqueueForOrchestrator(startItem(`other-${n}`));
      order.push("sent");
    }
    await deleting;
    expect(order.indexOf("deleted")).toBeGreaterThan(0);
  });

  it("lets other calls through between the steps in which it gives room back", async () => {
    await using store = await openFile(FAST);
    await fill(store, 8);
    const raw = store.openRaw();
    const free: number[] = [];
    let isDone = false;
    const deleting = store.provider.admin.deleteInstances({}).then(() => {
      isDone = true;
    });
    for (let n = 0; !isDone; n++) {
      await store.provider.enqueueForOrchestrator(startItem(`other-${n}`));
      free.push(pages(raw).free);
    }
    await deleting;
    const most = free.indexOf(Math.max(...free));
    const between = free.slice(most + 1).filter((pages) => pages > 1_024);
    expect(new Set(between).size).toBeGreaterThan(3);
  });
});

describe("compact", () => {
  it("gives back every free page, while another process reads and writes", async () => {
    await using store = await openFile(FAST);
    await fill(store, 3);
    await createInstance(store, "kept");
    const other = await store.openAnother();
    for (let n = 0; n < 3; n++) await store.provider.admin.deleteInstance(`big-${n}`);
    const compacting = store.provider.compact();
    await other.provider.enqueueForOrchestrator(startItem("meanwhile"));
    const { bytesBefore, bytesAfter } = await compacting;
    expect(bytesBefore).toBeGreaterThan(3 * MB);
    expect(bytesAfter).toBeLessThan(MB / 2);
    expect(statSync(store.path).size).toBeLessThan(MB / 2);
    expect(await other.provider.readHistory("kept")).toHaveLength(1);
  });

  it("rejects a file of an older version, and rewrites it with the option `rewrite`", async () => {
    await using store = await openFile(FAST);
    await fill(store, 3);
    await createInstance(store, "kept");
    await store.provider.close();
    makeOld(store.path);
    const { provider } = await store.openAnother();
    await provider.admin.deleteInstances({});
    expect(statSync(store.path).size).toBeGreaterThan(3 * MB);
    await expect(provider.compact()).rejects.toMatchObject({ code: "invalid-input", operation: "compact" });
    expect((await provider.compact({ rewrite: true })).bytesAfter).toBeLessThan(MB / 2);
    expect(statSync(store.path).size).toBeLessThan(MB / 2);
    expect(await provider.readHistory("kept")).toHaveLength(1);
    expect(await provider.compact()).toMatchObject({ bytesAfter: expect.any(Number) });
  });

  onFile("is refused for a reader, and works in memory", async (store) => {
    const { provider } = await store.openAnother({ readOnly: true });
    await expect(provider.compact()).rejects.toMatchObject({ code: "read-only" });
    await using memory = await SqliteProvider.open(":memory:");
    expect((await memory.compact()).bytesAfter).toBeGreaterThan(0);
  });
});

describe("npm run dev -- compact", () => {
  const SCRIPT = fileURLToPath(new URL("../../../scripts/compact.ts", import.meta.url));
  const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

  function run(...args: string[]): {
    readonly status: number | null;
    readonly out: string;
    readonly err: string;
  } {
    const node = ["--conditions=@duroxide-ts/source", "--no-warnings", SCRIPT, ...args];
    const child = spawnSync(process.execPath, node, { encoding: "utf8" });
    return { status: child.status, out: child.stdout, err: child.stderr };
  }

  it.skipIf(!CAN_RUN_SOURCES)("says what it did, and what is wrong", async () => {
    using folder = temporaryFolder();
    const path = folder.file("test.db");
    const provider = await SqliteProvider.open(path, FAST);
    await fill(callerOf(provider), 2);
    await provider.admin.deleteInstance("big-0");
    await provider.admin.deleteInstance("big-1");
    await provider.close();
    const old = folder.file("old.db");
    copyFileSync(path, old);
    makeOld(old);
    expect(run(path)).toMatchObject({ status: 0, out: expect.stringMatching(/\d+ bytes before, \d+ after/) });
    expect(statSync(path).size).toBeLessThan(MB / 2);
    expect(run(old)).toMatchObject({ status: 1, err: expect.stringContaining("--rewrite") });
    expect(run(old, "--rewrite").status).toBe(0);
    expect(run(folder.file("none.db"))).toMatchObject({
      status: 1,
      err: expect.stringContaining("does not exist"),
    });
    expect(run()).toMatchObject({ status: 2, err: expect.stringContaining("name one file") });
    expect(run("--wrong")).toMatchObject({ status: 2, err: expect.stringContaining("--wrong") });
    expect(run("--help")).toMatchObject({ status: 0, out: expect.stringContaining("--rewrite") });
  });
});

describe("a log that cannot be copied because of a reader", () => {
  function warnings(): { readonly logger: Logger; readonly events: unknown[] } {
    const events: unknown[] = [];
    const ignore = (): void => {};
    const logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (fields: object) => void events.push(fields),
    };
    return { logger, events };
  }

  async function write(store: FileFixture, minutes: number): Promise<void> {
    for (let n = 0; n < minutes * 6; n++) {
      await store.clock.advance(10_000);
      await store.provider.enqueueForOrchestrator(startItem(`${store.clock.now()}`));
    }
  }

  it("is logged once, after a minute (checkpoint-watch.C2)", async () => {
    const { logger, events } = warnings();
    await using store = await openFile({ ...FAST, logger });
    const reader = store.openRaw();
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM instances").get();
    await fill(store, 10);
    await write(store, 0.5);
    expect(events).toEqual([]);
    await write(store, 5);
    expect(events).toEqual([
      { event: "checkpoints_blocked", path: store.path, log_bytes: expect.any(Number) },
    ]);
    reader.exec("COMMIT");
    await write(store, 5);
    expect(events).toHaveLength(1);
  });

  it("is not, where it only is long", async () => {
    const { logger, events } = warnings();
    await using store = await openFile({ ...FAST, logger });
    const reader = store.openRaw();
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM instances").get();
    await fill(store, 10);
    reader.exec("COMMIT");
    await write(store, 5);
    expect(statSync(`${store.path}-wal`).size).toBeGreaterThan(10 * MB);
    expect(events).toEqual([]);
  });
});
