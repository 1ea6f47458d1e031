/** A backup that is put in the place of a file is not mixed with the log that a killed process has left. */
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect } from "vitest";
import { callerOf, type Folder, inFolder } from "./support/fixture.ts";

/** Stores many instances, and leaves the files in the state of a process that was killed. */
async function killedAt(folder: Folder, path: string, prefix = ""): Promise<void> {
  const live = folder.file("live.db");
  for (const end of ["", "-wal"]) rmSync(live + end, { force: true });
  try {
    copyFileSync(path, live);
  } catch {
    // The file is new.
  }
  const provider = await SqliteProvider.open(live);
  for (let n = 0; n < 40; n++) await createInstance(callerOf(provider), `${prefix}${n}`);
  for (const end of ["", "-wal"]) copyFileSync(live + end, path + end);
  await provider.close();
}

function backUp(path: string, to: string, counter?: number): void {
  const source = new DatabaseSync(path, { readOnly: true });
  source.prepare("VACUUM INTO ?").run(to);
  source.close();
  if (counter === undefined) return;
  const copy = new DatabaseSync(to, { defensive: false });
  copy.exec(`PRAGMA schema_version = ${counter}`);
  copy.close();
}

async function refusedAndKept(path: string): Promise<void> {
  const before = [path, `${path}-wal`].map((each) => readFileSync(each));
  const opening = SqliteProvider.open(path);
  await expect(opening).rejects.toMatchObject({ code: "cannot-open" });
  await expect(opening).rejects.toThrow(/the log of the file that was here before.*delete .*-wal/);
  await expect(SqliteProvider.open(path, { readOnly: true })).rejects.toThrow(/the log of the file/);
  expect([path, `${path}-wal`].map((each) => readFileSync(each))).toEqual(before);
}

inFolder("a backup beside the log of the file that it replaces is refused, and both stay", async (folder) => {
  const [path, backup] = [folder.file("orders.db"), folder.file("backup.db")];
  await killedAt(folder, path);
  backUp(path, backup);
  copyFileSync(backup, path);
  await refusedAndKept(path);
  rmSync(`${path}-wal`);
  await (await SqliteProvider.open(path)).close();
});

inFolder("so is an older backup beside the log of a newer one", async (folder) => {
  const [path, older, newer] = [folder.file("orders.db"), folder.file("older.db"), folder.file("newer.db")];
  await killedAt(folder, path);
  backUp(path, older, 1_000_000);
  backUp(path, newer, 2_000_000);
  rmSync(`${path}-wal`);
  copyFileSync(newer, path);
  await killedAt(folder, path, "more-");
  copyFileSync(older, path);
  await refusedAndKept(path);
});

inFolder("the log of a killed process is read with its own file", async (folder) => {
  const path = folder.file("orders.db");
  for (const prefix of ["a-", "b-", "c-"]) {
    await killedAt(folder, path, prefix);
    await (await SqliteProvider.open(path)).close();
  }
});
