/** A database that is deleted, replaced or emptied under its processes (database-file.D1 to database-file.D5). */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
} from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Clock, type Logger, systemClock } from "@duroxide-ts/core";
import {
  createInstance,
  fetchOrchestration,
  fetchWork,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { type FileFixture, inFolder, onFile, openFile } from "./support/fixture.ts";

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
  "without its log and index": (path: string) => {
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`);
  },
  "without its log": (path: string) => rmSync(`${path}-wal`),
  "without its index": (path: string) => rmSync(`${path}-shm`),
  "beside a replaced log": (path: string) => {
    copyFileSync(`${path}-wal`, `${path}.new`);
    renameSync(`${path}.new`, `${path}-wal`);
  },
};

function errors(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const ignore = (): void => {};
  const error = (_: unknown, message: string): void => void lines.push(message);
  return { logger: { debug: ignore, info: ignore, warn: ignore, error }, lines };
}

describe.each(Object.entries(happenings))("a database file that is %s while it is open", (what, happen) => {
  it("fails every call from then on, and is logged once (database-file.D1)", async () => {
    const { logger, lines } = errors();
    await using store = await openFile({ logger });
    const { provider } = store;
    await createInstance(store, "i");
    happen(store.path);
    const calls = [
      () => provider.enqueueForOrchestrator(startItem("late")),
      () => provider.readHistory("i"),
      () => provider.getInstanceStatus("i"),
      () => provider.admin.queryInstances(),
      () => provider.admin.deleteInstances({}),
      () => fetchOrchestration(store),
      () => fetchWork(store, { pollTimeoutMs: 60_000 }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(gone);
    expect(lines).toEqual([expect.stringContaining(store.path)]);
    expect(lines[0]).toMatch(/replaced|emptied/.exec(what)?.[0] ?? "deleted");
  });

  onFile("is noticed where the folder has not changed for long (database-file.D6)", async (store) => {
    const longAgo = new Date(Date.now() - 3_600_000);
    utimesSync(dirname(store.path), longAgo, longAgo);
    await createInstance(store, "i");
    await createInstance(store, "j");
    happen(store.path);
    await store.clock.advance(20);
    await expect(createInstance(store, "k")).rejects.toMatchObject(gone);
  });

  it("fails a read that comes first, once the last check is 20 ms old (database-file.D1)", async () => {
    await using store = await openFile();
    await createInstance(store, "i");
    happen(store.path);
    await store.clock.advance(20);
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

  onFile("fails calls that wait for a lock on it, too", async (store) => {
    const raw = store.openRaw();
    raw.exec("BEGIN IMMEDIATE");
    const sent = store.provider.enqueueForOrchestrator(startItem("late"));
    happen(store.path);
    await expect(sent).rejects.toMatchObject(gone);
  });
});

describe("a provider whose file was replaced", () => {
  // store.S1: what is closed says so, and not that it is gone.
  onFile("stays gone when the file comes back, and can be closed (database-file.D2)", async (store) => {
    renameSync(store.path, `${store.path}.away`);
    await expect(store.provider.getInstanceStatus("i")).rejects.toMatchObject(gone);
    renameSync(`${store.path}.away`, store.path);
    await expect(store.provider.getInstanceStatus("i")).rejects.toMatchObject(gone);
    await store.provider.close();
    await expect(store.provider.getInstanceStatus("i")).rejects.toMatchObject({ code: "closed" });
  });

  onFile("has all that it confirmed when it was renamed and has its name again", async (store) => {
    await createInstance(store, "i");
    happenings.renamed(store.path);
    await store.clock.advance(20);
    await expect(store.provider.readHistory("i")).rejects.toThrow(/renamed.*its name back/);
    await store.provider.close();
    for (const readOnly of [false, true]) {
      await expect(SqliteProvider.open(store.path, { readOnly })).rejects.toMatchObject({
        code: "cannot-open",
        message: expect.stringMatching(/its log .*-wal is.*move it back/),
      });
    }
    renameSync(`${store.path}.old`, store.path);
    const next = await store.openAnother();
    expect(await next.provider.readHistory("i")).toHaveLength(1);
  });

  onFile("takes nothing from the new file when it is closed", async (store) => {
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

/** Everything that a new process finds, which sees only the files. */
async function idsIn(path: string): Promise<readonly string[]> {
  await using provider = await SqliteProvider.open(path);
  return (await provider.admin.queryInstances()).instances.map(({ instanceId }) => instanceId);
}

/** Another process that opens the file, runs the script and ends. `db` is its connection. */
function elsewhere(path: string, script: string): void {
  const open = `const db = new (require("node:sqlite").DatabaseSync)(${JSON.stringify(path)});`;
  execFileSync(process.execPath, ["--no-warnings", "-e", open + script]);
}

/** The store says that it is gone before it confirms anything, whatever the operation. */
async function refusesAll({ provider }: FileFixture): Promise<void> {
  await expect(provider.enqueueForOrchestrator(startItem("late"))).rejects.toMatchObject(gone);
  await expect(provider.close()).resolves.toBeUndefined();
}

it("a clock that was set back does not keep a read from looking at the files", async () => {
  let aheadMs = 3_600_000;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  await using store = await openFile({ clock });
  await createInstance(store, "i");
  aheadMs = 0;
  expect(await store.provider.readHistory("i")).toHaveLength(1);
  happenings.replaced(store.path);
  const read = (): Promise<unknown> =>
    store.provider.readHistory("i").then(
      () => "read",
      (error) => error,
    );
  await expect.poll(read, { timeout: 60_000 }).toMatchObject(gone);
});

describe("a log that was deleted (database-file.D5)", () => {
  onFile("loses nothing that was confirmed before, if nobody has written since", async (store) => {
    await createInstance(store, "i");
    happenings["without its log and index"](store.path);
    await refusesAll(store);
    expect(await idsIn(store.path)).toEqual(["i"]);
  });

  onFile("takes nothing away from who has written since", async (store) => {
    await createInstance(store, "i");
    happenings["without its log and index"](store.path);
    elsewhere(store.path, "db.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)'); db.close()");
    await refusesAll(store);
    elsewhere(store.path, "db.exec('SELECT x FROM theirs')");
  });

  onFile("takes nothing away from who was killed since", async (store) => {
    await createInstance(store, "i");
    happenings["without its log and index"](store.path);
    const killed = "process.kill(process.pid, 'SIGKILL')";
    expect(() =>
      elsewhere(store.path, `db.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)'); ${killed}`),
    ).toThrow();
    await refusesAll(store);
    elsewhere(store.path, "db.exec('SELECT x FROM theirs')");
  });
});

// Where SQLite needs a page of the log, it fails itself; otherwise it commits behind the hole.
it("a log that was emptied in place is noticed once the last check is 20 ms old (database-file.D4, database-file.D6)", async () => {
  await using store = await openFile();
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(dirname(store.path), longAgo, longAgo);
  await store.provider.enqueueForOrchestrator(startItem("first"));
  truncateSync(`${store.path}-wal`);
  await store.clock.advance(20);
  await refusesAll(store);
});

it("a log that another process has copied into the database is not taken for an emptied one (database-file.D4)", async () => {
  await using store = await openFile();
  await createInstance(store, "i");
  elsewhere(store.path, "db.exec('PRAGMA wal_checkpoint(TRUNCATE)'); db.close()");
  await createInstance(store, "j");
  expect(await idsIn(store.path)).toEqual(["j", "i"]);
});

// The process loses its locks, whereupon another one that closes the database takes itself for the last
// (database-file.D5).
onFile("what is confirmed after this process read the files by node:fs is found by others", async (store) => {
  const confirmed: string[] = [];
  for (const id of ["a", "b", "c", "d"]) {
    for (const suffix of SUFFIXES) readFileSync(`${store.path}${suffix}`);
    elsewhere(store.path, "db.exec('SELECT * FROM instances'); db.close()");
    const created = await createInstance(store, id).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject(gone);
        return false;
      },
    );
    if (!created) break;
    confirmed.push(id);
  }
  await store.provider.close();
  expect(await idsIn(store.path)).toEqual(confirmed);
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
    inFolder("both notice, the one that waits and the one that does nothing", async (folder) => {
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
      expect(await after.admin.queryInstances()).toEqual({ instances: [] });
      expect(await after.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 0 });
    });
  },
);
