/** Files that cannot be opened are refused with a sentence that says what to do, and left as they were. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  createInstance,
  fetchOrchestration,
  raised,
  scheduled,
} from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { SqliteReader } from "@duroxide-ts/sqlite/reader";
import { describe, expect, it } from "vitest";
import { RecordingLogger } from "../../../test/support/recording-logger.ts";
import { callerOf, inFolder, onFile, temporaryFolder } from "./support/fixture.ts";

async function refused(path: string, says: RegExp): Promise<void> {
  const opening = SqliteProvider.open(path);
  await expect(opening).rejects.toMatchObject({
    name: "ProviderError",
    code: "cannot-open",
    operation: "open",
  });
  await expect(opening).rejects.toThrow(says);
}

describe("opening", () => {
  it("creates the file and its directories, and finds what was stored when it opens it again", async () => {
    using folder = temporaryFolder();
    const path = folder.file(join("deep", "er", "test.db"));
    const first = await SqliteProvider.open(path);
    await createInstance(callerOf(first), "i", { historyDelta: [scheduled("i", 2)] });
    await first.enqueueForOrchestrator(raised("i", "e"));
    await first[Symbol.asyncDispose]();
    await using second = await SqliteProvider.open(path);
    expect(await second.readHistory("i")).toHaveLength(2);
    expect(await fetchOrchestration(callerOf(second))).toMatchObject({ item: { instanceId: "i" } });
  });

  inFolder("warns of directories that were not there, and of nothing else", async (folder) => {
    const logger = new RecordingLogger();
    const path = folder.file(join("misspelt", "volume", "test.db"));
    for (const each of [path, path, folder.file("test.db"), ":memory:"]) {
      await using _opened = await SqliteProvider.open(each, { logger });
    }
    const created = { event: "directory_created", directory: folder.file("misspelt"), path };
    expect(logger.entries).toMatchObject([{ level: "warn", fields: created }]);
  });

  inFolder("refuses a path that cannot be one", async (folder) => {
    writeFileSync(folder.file("regular"), "text");
    mkdirSync(folder.file("directory"));
    await refused("", /empty/);
    await refused(folder.file(join("regular", "test.db")), /cannot be created/);
    await refused(folder.file("directory"), /is a directory/);
  });

  inFolder("refuses a file that is no database, and leaves it alone", async (folder) => {
    const path = folder.file("text.db");
    const text = "This is not a database. ".repeat(100);
    writeFileSync(path, text);
    await refused(path, /not an SQLite database/);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it.each([
    [
      "view",
      "CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
    ],
    ["trigger", "CREATE TRIGGER v AFTER INSERT ON history BEGIN DELETE FROM history WHERE id < NEW.id; END"],
    ["virtual table", "CREATE VIRTUAL TABLE v USING fts5(x)"],
  ])("refuses a file with a %s, which would run with our reads and writes", async (what, statement) => {
    using folder = temporaryFolder();
    const path = folder.file("theirs.db");
    await (await SqliteProvider.open(path)).close();
    const theirs = new DatabaseSync(path);
    theirs.exec(statement);
    theirs.close();
    await refused(path, new RegExp(`has a ${what} named "v"`));
    await expect(SqliteReader.open(path)).rejects.toThrow(`has a ${what} named "v"`);
  });

  inFolder("refuses the database of another application, and leaves it alone", async (folder) => {
    const path = folder.file("theirs.db");
    const theirs = new DatabaseSync(path);
    theirs.exec("CREATE TABLE notes (text TEXT)");
    await refused(path, /another application/);
    expect(theirs.prepare("SELECT name FROM sqlite_schema").all()).toHaveLength(1);
    theirs.exec("PRAGMA application_id = 42; DROP TABLE notes");
    theirs.close();
    await refused(path, /another application/);
  });

  onFile("refuses a file that a newer version has written, and leaves it alone", async (store) => {
    await createInstance(store, "i");
    store.openRaw().exec("PRAGMA user_version = 999");
    await refused(store.path, /newer version.*update/);
    expect(store.openRaw().prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 999 });
    expect(await store.provider.readHistory("i")).toHaveLength(1);
  });

  onFile("refuses a file from before the first release, and leaves it alone", async (store) => {
    store.openRaw().exec("PRAGMA user_version = 9");
    await refused(store.path, /before the first release.*choose another path/);
    expect(store.openRaw().prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 9 });
  });

  inFolder("refuses a damaged file", async (folder) => {
    const path = folder.file("damaged.db");
    const first = await SqliteProvider.open(path);
    for (let n = 0; n < 50; n++) await createInstance(callerOf(first), `i-${n}`);
    await first[Symbol.asyncDispose]();
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xff)]));
    await refused(path, /damaged|not an SQLite database/);
  });

  it("refuses options that make no sense", async () => {
    for (const options of [
      { pollIntervalMs: 0 },
      { busyTimeoutMs: -1 },
      { maxSizeBytes: 0.5 },
      { durability: "none" as never },
    ]) {
      await expect(SqliteProvider.open(":memory:", options)).rejects.toMatchObject({ code: "invalid-input" });
    }
  });

  it("treats every database in memory as a separate store", async () => {
    await using first = await SqliteProvider.open(":memory:");
    await using second = await SqliteProvider.open(":memory:");
    await createInstance(callerOf(first), "i");
    expect(await second.getInstanceStatus("i")).toBeUndefined();
  });
});

describe("a file that is damaged while it is open", () => {
  onFile("is reported as such by what cannot be read", async (store) => {
    const { provider } = store;
    for (let n = 0; n < 200; n++) await createInstance(store, `i-${n}`);
    await provider[Symbol.asyncDispose]();
    const bytes = readFileSync(store.path);
    const raw = new DatabaseSync(store.path);
    const { rootpage } = raw.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'history'").get() as {
      rootpage: number;
    };
    const { page_size: size } = raw.prepare("PRAGMA page_size").get() as { page_size: number };
    raw.close();
    bytes.fill(0xff, (rootpage - 1) * size, rootpage * size);
    writeFileSync(store.path, bytes);
    await using reopened = await SqliteProvider.open(store.path, { clock: store.clock });
    await expect(reopened.readHistory("i-1")).rejects.toMatchObject({
      code: "corrupt-data",
      retryable: false,
    });
    await reopened.enqueueForOrchestrator(raised("i-1", "e"));
    await expect(fetchOrchestration(callerOf(reopened))).rejects.toMatchObject({ code: "corrupt-data" });
    expect(await reopened.getInstanceStatus("i-1")).toBeDefined();
  });
});
