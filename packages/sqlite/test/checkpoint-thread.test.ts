/** The thread that copies the log of a slow disk into the database (connection/checkpoint-thread.ts). */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { CheckpointThread } from "../src/connection/checkpoint-thread.ts";
import { inFolder } from "./support/fixture.ts";

inFolder("copies the log, and keeps no listener for each copy (checkpoint-thread.CT3)", async (folder) => {
  const path = folder.file("test.db");
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x)");
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  const thread = new CheckpointThread(path);
  try {
    for (let n = 0; n < 12; n++) {
      db.exec(`INSERT INTO t VALUES (zeroblob(${100_000}))`);
      await thread.run();
    }
    expect(statSync(path).size).toBeGreaterThan(1_000_000);
    expect(warnings.map(({ message }) => message)).toEqual([]);
  } finally {
    process.off("warning", note);
    await thread.close();
    db.close();
  }
});

inFolder("a copy that fails resolves all the same (checkpoint-thread.CT2)", async (folder) => {
  const thread = new CheckpointThread(folder.file("no/such/folder.db"));
  await thread.run();
  await thread.close();
});
