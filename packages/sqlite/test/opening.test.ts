/** Opening leaves alone the files of others, and the write lock (open-database.O1 and open-database.O2). */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Client } from "@duroxide-ts/core";
import {
  createInstance,
  eventOf,
  fetchOrchestration,
  raised,
} from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, expect, it } from "vitest";
import { callerOf, inFolder, onFile, temporaryFolder } from "./support/fixture.ts";

describe("options that do not exist", () => {
  it("are refused by name, with the nearest one", async () => {
    await expect(SqliteProvider.open(":memory:", { readonly: true } as object)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(/no option "readonly"; did you mean "readOnly"\?/),
    });
    await using provider = await SqliteProvider.open(":memory:");
    await expect(provider.compact({ rewriteAll: true } as object)).rejects.toThrow(
      /The only option is rewrite/,
    );
  });

  it("are no paths either", async () => {
    for (const path of [undefined, null, 5, {}]) {
      await expect(SqliteProvider.open(path as unknown as string)).rejects.toThrow(
        /open: the path is of type \w+; name a file, or :memory:/,
      );
    }
  });
});

/** Every file of a folder with the hash of its bytes. */
function hashes(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [
        name,
        createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
      ]),
  );
}

const cannotOpen = { name: "ProviderError", code: "cannot-open", operation: "open" };
const invalidInput = { name: "ProviderError", code: "invalid-input", operation: "open" };

describe("the database of another application", () => {
  const scripts = {
    "with tables": "CREATE TABLE users (id)",
    "in WAL mode": "PRAGMA journal_mode = WAL; CREATE TABLE users (id); INSERT INTO users VALUES (1)",
    "with nothing but its own mark": "PRAGMA application_id = 42",
    "with nothing but a version that we do not have": "PRAGMA user_version = 7777",
    "with nothing but a version that we have, too": "PRAGMA user_version = 1",
  };
  it.each(Object.entries(scripts))(
    "%s keeps every byte, its journal mode and its neighbours",
    async (_, script) => {
      using folder = temporaryFolder();
      const path = folder.file("theirs.db");
      const theirs = new DatabaseSync(path);
      theirs.exec(script);
      theirs.close();
      const before = hashes(folder.path);
      for (const readOnly of [false, true]) {
        await expect(SqliteProvider.open(path, { readOnly })).rejects.toMatchObject(cannotOpen);
        if (!readOnly) expect(hashes(folder.path)).toEqual(before);
      }
      const after = new DatabaseSync(path);
      expect(after.prepare("PRAGMA journal_mode").get()).toEqual({
        journal_mode: script.includes("WAL") ? "wal" : "delete",
      });
      after.close();
    },
  );

  inFolder("that crashed keeps the commits in its log where they are (open-database.O1)", async (folder) => {
    const live = new DatabaseSync(folder.file("live.db"));
    live.exec("PRAGMA journal_mode = WAL; CREATE TABLE users (id); INSERT INTO users VALUES (1)");
    // What a crash leaves behind: both files as they are between two commits.
    mkdirSync(folder.file("crashed"));
    const path = folder.file(join("crashed", "theirs.db"));
    for (const suffix of ["", "-wal"]) copyFileSync(folder.file(`live.db${suffix}`), `${path}${suffix}`);
    live.close();
    const { "theirs.db": file, "theirs.db-wal": log } = hashes(folder.file("crashed"));
    await expect(SqliteProvider.open(path)).rejects.toMatchObject(cannotOpen);
    expect(hashes(folder.file("crashed"))).toMatchObject({ "theirs.db": file, "theirs.db-wal": log });
  });
});

describe("a path", () => {
  it.each([
    ["undefined", undefined, /of type undefined/],
    ["a number", 5, /of type number/],
    ["an object", pathToFileURL("/tmp/x.db"), /of type object/],
    ["one with NUL", "a\0b.db", /NUL/],
    ["a URI", "file:///tmp/x.db", /fileURLToPath/],
    ["a relative URI", "file:x.db?mode=memory", /fileURLToPath/],
    ["a URI of another scheme", "sqlite://x/store.db", /"sqlite:\/\/x\/store\.db" is a URI/],
    ["the name of a log", "orders.db-wal", /would be emptied, overwritten or deleted beside "orders\.db"/],
    [
      "the name of a reserve",
      "orders.db-reserve",
      /would be emptied, overwritten or deleted beside "orders\.db"/,
    ],
    ["the name of an index", "orders.db-shm", /ends with "-shm"/],
    ["the name of a journal", "./orders.db-journal", /ends with "-journal"/],
  ])("that is %s is refused as such", async (_, path, says) => {
    const opening = SqliteProvider.open(path as string);
    await expect(opening).rejects.toMatchObject(invalidInput);
    await expect(opening).rejects.toThrow(says);
    for (const file of ["file:", "sqlite:", "orders.db-wal", "orders.db-shm", "orders.db-journal"]) {
      expect(existsSync(file)).toBe(false);
    }
  });

  inFolder("below a file, and a directory, are refused in a sentence", async (folder) => {
    writeFileSync(folder.file("regular"), "text");
    for (const path of ["regular/test.db", "regular/deeper/test.db"]) {
      await expect(SqliteProvider.open(folder.file(path))).rejects.toThrow(
        /cannot be created.*choose another/,
      );
    }
    await expect(SqliteProvider.open(folder.path)).rejects.toThrow(/is a directory/);
  });

  it.each(["n".repeat(300), `${"n".repeat(300)}/test.db`])("that is too long is refused", async (name) => {
    using folder = temporaryFolder();
    await expect(SqliteProvider.open(folder.file(name))).rejects.toMatchObject(cannotOpen);
  });

  inFolder("through a link that leads nowhere is refused", async (folder) => {
    symlinkSync(folder.file("nowhere"), folder.file("link"));
    await expect(SqliteProvider.open(folder.file("link/test.db"))).rejects.toMatchObject(cannotOpen);
  });

  // A directory that answers ENOENT to mkdir made Node's recursive mkdir run for ever, so a process of its own ends it.
  it.skipIf(!existsSync("/proc/self"))(
    "below the proc file system is refused, at once",
    { timeout: 300_000 },
    () => {
      const script = `import { SqliteProvider } from "@duroxide-ts/sqlite";
      await SqliteProvider.open("/proc/none/deeper/test.db").catch((error) => console.log(error.code));`;
      const child = spawnSync(
        process.execPath,
        ["--conditions=@duroxide-ts/source", "--no-warnings", "--input-type=module", "--eval", script],
        { encoding: "utf8", timeout: 240_000, cwd: import.meta.dirname },
      );
      expect([child.stdout, child.signal]).toEqual(["cannot-open\n", null]);
    },
  );
});

describe("opening a file that another process writes", () => {
  onFile("needs no lock, and reads what is committed (open-database.O2)", async (store) => {
    await createInstance(store, "i");
    const writer = store.openRaw();
    writer.exec("BEGIN IMMEDIATE");
    // The clock does not move, so a call that waits for the lock would never end.
    const second = await store.openAnother({ busyTimeoutMs: 0 });
    expect(await second.provider.readHistory("i")).toHaveLength(1);
    await expect(second.provider.enqueueForOrchestrator(raised("i", "e"))).rejects.toMatchObject({
      code: "unavailable",
    });
    writer.exec("ROLLBACK");
  });
});

describe("a provider that was opened with readOnly", () => {
  onFile("reads while another process holds the write lock, through a client too", async (store) => {
    const output = '"done"';
    await createInstance(store, "i", {
      historyDelta: [eventOf("OrchestrationCompleted", "i", 2, { output })],
      metadata: { status: "Completed", output },
    });
    const writer = store.openRaw();
    writer.exec("BEGIN IMMEDIATE");
    const { provider } = await store.openAnother({ readOnly: true, busyTimeoutMs: 0 });
    const client = new Client(provider);
    expect(await client.handle("o", "i").status()).toMatchObject({ status: "Completed", output: "done" });
    const ids: string[] = [];
    for await (const id of client.admin.instances()) ids.push(id);
    expect(ids).toEqual(["i"]);
    expect(await client.admin.metrics()).toMatchObject({ totalInstances: 1 });
    expect(await client.admin.queueDepths()).toMatchObject({ workerQueue: 0 });
    expect(await client.admin.history("i")).toHaveLength(2);
    writer.exec("ROLLBACK");
  });

  onFile("sees what is committed after it was opened", async (store) => {
    const { provider } = await store.openAnother({ readOnly: true });
    expect(await provider.getInstanceStatus("i")).toBeUndefined();
    await createInstance(store, "i");
    expect(await provider.getInstanceStatus("i")).toMatchObject({ status: "Running" });
  });

  onFile("refuses every write and every fetch, and changes nothing", async (store) => {
    await createInstance(store, "i");
    const reader = await store.openAnother({ readOnly: true });
    const { provider } = reader;
    const calls = [
      () => provider.enqueueForOrchestrator(raised("i", "e")),
      () => fetchOrchestration(reader),
      () => fetchOrchestration(reader, { pollTimeoutMs: 60_000 }),
      () => provider.admin.deleteInstance("i", { force: true }),
      () => provider.admin.deleteInstances({}),
      () => provider.admin.pruneInstances({ instanceIds: ["i"] }, {}),
      () => provider.admin.pruneInstances({}, {}),
      () => new Client(provider).start("o", { instanceId: "new" }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ code: "read-only", retryable: false });
    }
    expect(await provider.readHistory("i")).toHaveLength(1);
  });

  inFolder("creates nothing", async (folder) => {
    const path = folder.file("none/test.db");
    await expect(SqliteProvider.open(path, { readOnly: true })).rejects.toThrow(/does not exist/);
    expect(existsSync(folder.file("none"))).toBe(false);
    writeFileSync(folder.file("empty.db"), "");
    await expect(SqliteProvider.open(folder.file("empty.db"), { readOnly: true })).rejects.toMatchObject(
      cannotOpen,
    );
    expect(readFileSync(folder.file("empty.db"))).toHaveLength(0);
  });

  inFolder("leaves the file as it was", async (folder) => {
    const path = folder.file("test.db");
    const writer = await SqliteProvider.open(path);
    await createInstance(callerOf(writer), "i");
    await writer.close();
    const before = hashes(folder.path)["test.db"];
    const reader = await SqliteProvider.open(path, { readOnly: true });
    expect(await reader.readHistory("i")).toHaveLength(1);
    await reader.close();
    expect(hashes(folder.path)["test.db"]).toBe(before);
  });
});

it("a provider is opened with SqliteProvider.open, not with new", () => {
  const Untyped = SqliteProvider as unknown as new (path: string) => SqliteProvider;
  expect(() => new Untyped(":memory:")).toThrow(/await SqliteProvider\.open\(/);
});
