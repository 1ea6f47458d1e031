/** A copy of a database shows what its processes see. file-system.F3. */
import { expect, it } from "vitest";
import { DatabaseSync } from "../sqlite/database-sync.ts";
import { Disk, GOOD_DISK } from "../sqlite/disk.ts";
import { loadSqlite } from "../sqlite/engine.ts";
import { Chance } from "../world/chance.ts";

it("a copy does not have what a failed commit left in the log, while a process has the file open", async () => {
  const files = await loadSqlite(
    () => undefined,
    () => 0,
  );
  const disk = new Disk(new Chance(1), { losesPower: false });
  files.mount(disk, () => {});
  const db = new DatabaseSync("/a.db");
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (x); INSERT INTO t VALUES (1)",
  );
  disk.weather = { ...GOOD_DISK, syncErrors: 1 };
  expect(() => db.exec("INSERT INTO t VALUES (2)")).toThrow(/disk I\/O error/);
  disk.weather = { ...GOOD_DISK };

  const countIn = (path: string, share = false): unknown => {
    for (const end of ["", "-wal"]) disk.copy(`/a.db${end}`, `${path}${end}`);
    if (share) files.copyMemory("/a.db", path);
    const copy = new DatabaseSync(path);
    const row = copy.prepare("SELECT count(*) AS rows FROM t").get();
    copy.close();
    return row;
  };
  // As a process would that opens the file when all others have died: SQLite recovers the frames.
  expect(countIn("/recovered.db")).toEqual({ rows: 2 });
  expect(countIn("/seen.db", true)).toEqual({ rows: 1 });
  expect(db.prepare("SELECT count(*) AS rows FROM t").get()).toEqual({ rows: 1 });
  db.close();
});
