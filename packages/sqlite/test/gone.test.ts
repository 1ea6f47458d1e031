/** A database that is deleted, replaced or emptied under its processes (src/connection/database-file.ts, D1 to D4). */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { copyFileSync, existsSync, renameSync, rmSync, truncateSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Logger } from "@duroxide-ts/core";
import {
  createInstance,
  fetchOrchestration,
  fetchWork,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { openFile, temporaryFolder } from "./support/fixture.ts";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const CHILD = fileURLToPath(new URL("./support/holder.ts", import.meta.url));

const gone = { name: "ProviderError", code: "store-gone", retryable: false };

/** Everything that belongs to a database. */
const SUFFIXES = ["", "-wal", "-shm"];

const happenings = {
  deleted: (path: string) => {
    for (const suffix of SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
  },
  "deleted alone": (path: string) => rmSync(path),
  renamed: (path: string) => renameSync(path, `${path}.old`),
  emptied: (path: string) => truncateSync(path),
  replaced: (path: string) => {
    copyFileSync(path, `${path}.new`);
    renameSync(`${path}.new`, path);
  },
};

function errors(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const ignore = (): void => {};
  const error = (_: unknown, message: string): void => void lines.push(message);
  return { logger: { debug: ignore, info: ignore, warn: ignore, error }, lines };
}

describe.each(Object.entries(happenings))("a database file that is %s while it is open", (what, happen) => {
  it("fails every call from then on, and is logged once (D1)", async () => {
    const { logger, lines } = errors();
    await using store = await openFile({ logger });
    const { provider } = store;
    await createInstance(store, "i");
    happen(store.path);
    const calls = [
      () => provider.enqueueForOrchestrator(startItem("late")),
      () => provider.readHistory("i"),
      () => provider.getInstanceStatus("i"),
      () => provider.admin.listInstances(),
      () => provider.admin.deleteInstances({}),
      () => fetchOrchestration(store),
      () => fetchWork(store, { pollTimeoutMs: 60_000 }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(gone);
    expect(lines).toEqual([expect.stringContaining(store.path)]);
    expect(lines[0]).toMatch(/^(replaced|emptied)$/.test(what) ? new RegExp(what) : /deleted/);
  });

  it("fails a read that comes first", async () => {
    await using store = await openFile();
    await createInstance(store, "i");
    happen(store.path);
    await expect(store.provider.readHistory("i")).rejects.toMatchObject(gone);
  });

  it("ends the fetches that wait, within a poll interval", async () => {
    await using store = await openFile({ pollIntervalMs: 50 });
    const waiting = [fetchOrchestration, fetchWork].map((fetch) => fetch(store, { pollTimeoutMs: 60_000 }));
    const outcomes = Promise.allSettled(waiting);
    await store.clock.settle();
    happen(store.path);
    await store.clock.advance(50);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: gone });
    }
  });

  it("fails calls that wait for a lock on it, too", async () => {
    await using store = await openFile();
    const raw = store.openRaw();
    raw.exec("BEGIN IMMEDIATE");
    const sent = store.provider.enqueueForOrchestrator(startItem("late"));
    happen(store.path);
    await expect(sent).rejects.toMatchObject(gone);
  });
});

describe("a provider whose file was replaced", () => {
  // S1 (store.ts): what is closed says so, and not that it is gone.
  it("stays gone when the file comes back, and can be closed (D2)", async () => {
    await using store = await openFile();
    renameSync(store.path, `${store.path}.away`);
    await expect(store.provider.getInstanceStatus("i")).rejects.toMatchObject(gone);
    renameSync(`${store.path}.away`, store.path);
    await expect(store.provider.getInstanceStatus("i")).rejects.toMatchObject(gone);
    await store.provider.close();
    await expect(store.provider.getInstanceStatus("i")).rejects.toMatchObject({ code: "closed" });
  });

  it("takes nothing from the new file when it is closed", async () => {
    await using store = await openFile();
    await createInstance(store, "old");
    happenings.deleted(store.path);
    const second = await store.openAnother();
    await createInstance(second, "new");
    await store.provider.close();
    expect(existsSync(`${store.path}-wal`)).toBe(true);
    const third = await store.openAnother();
    expect(await third.provider.readHistory("new")).toHaveLength(1);
    expect(await third.provider.readHistory("old")).toHaveLength(0);
  });
});

/** The lines of a child, and a way to let it go on. */
function hold(
  path: string,
  mode: "waiting" | "idle",
): { readonly child: ChildProcessByStdio<Writable, Readable, null>; readonly lines: AsyncIterator<string> } {
  const child = spawn(
    process.execPath,
    ["--conditions=@duroxide-ts/source", "--no-warnings", CHILD, path, mode],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

async function rest(lines: AsyncIterator<string>): Promise<string[]> {
  const all: string[] = [];
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) all.push(next.value);
  return all;
}

const REFUSALS = ["write store-gone", "read store-gone", "admin store-gone", "fetch store-gone", "closed"];

describe.skipIf(!CAN_RUN_SOURCES).each(["deleted", "replaced"] as const)(
  "of two processes, with a file that is %s",
  (how) => {
    it("both notice, the one that waits and the one that does nothing", async () => {
      using folder = temporaryFolder();
      const path = folder.file("test.db");
      await (await SqliteProvider.open(path)).close();
      const [waiting, idle] = [hold(path, "waiting"), hold(path, "idle")];
      for (const { lines } of [waiting, idle]) expect((await lines.next()).value).toBe("open");
      happenings[how](path);
      const log = `log error database_file_gone ${path}`;
      expect(await rest(waiting.lines)).toEqual([log, "waited store-gone", ...REFUSALS]);
      idle.child.stdin.write("go on\n");
      expect(await rest(idle.lines)).toEqual([log, ...REFUSALS]);
      await using after = await SqliteProvider.open(path);
      expect(await after.admin.listInstances()).toEqual({ instanceIds: [] });
      expect(await after.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 0 });
    });
  },
);
