/** SQLite stores on media that cannot be written, and that have no room. Real mounts, in a namespace of their own. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, IDS } from "../support/desk.ts";
import { environmentOf } from "../support/run-process.ts";

const MAIN = path.join(import.meta.dirname, "..", "..", "src", "main.ts");
const DUROXIDE = `"${process.execPath}" --conditions=@duroxide-ts/source --no-warnings "${MAIN}"`;

// Mounts need rights that not every machine gives.
const mayMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

describe.skipIf(!mayMount)("a SQLite store", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open("sqlite");
    await desk.cli(["backup", "orders.db"]);
    mkdirSync(path.join(desk.folder, "medium"));
    cpSync(path.join(desk.folder, "orders.db"), path.join(desk.folder, "medium", "orders.db"));
    // The first write gives the copy the form of a store that was in use.
    await desk.cli(["cancel", IDS.waiting, "--yes", "--store", "sqlite:medium/orders.db"]);
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  /** Runs a script of the shell in the folder, in which `$duroxide` is the command. */
  const shell = (script: string): string => {
    const { stdout } = spawnSync("unshare", ["--mount", "sh", "-c", `exec 2>&1; ${script}`], {
      cwd: desk.folder,
      env: { ...environmentOf(desk), ...desk.env },
      encoding: "utf8",
    });
    return stdout;
  };

  it("on a medium that is read only is read where no log lies beside it", () => {
    const list = `${DUROXIDE} list --store sqlite:medium/orders.db -o ids; echo "exit $?"`;
    const said = shell(`mount --bind medium medium && mount -o remount,bind,ro medium && ${list}`);
    expect(said).toContain(`${IDS.completed}\n`);
    expect(said).toContain("exit 0");
  });

  it("is backed up again after a backup for which there was no room", () => {
    const backup = `${DUROXIDE} backup medium/copy.db; echo "exit $?"; ls medium`;
    const small = shell(
      `mount -t tmpfs -o size=32k tmpfs medium && ${backup} && mount -o remount,size=8m medium && ${backup}`,
    );
    expect(small).toMatch(/full.*\nexit 1\n.*copy\.db is a copy of .*\nexit 0\ncopy\.db\n$/s);
    expect(existsSync(path.join(desk.folder, "medium", "copy.db"))).toBe(false);
  });

  it("whose disk is nearly full is a warning of the doctor, and of one that is full a red one", () => {
    const doctor = `${DUROXIDE} doctor --store sqlite:medium/orders.db`;
    const said = shell(
      `cp orders.db copy && mount -t tmpfs -o size=8m tmpfs medium && cp copy medium/orders.db && ${doctor}; head -c 8m /dev/zero > medium/other; ${doctor}`,
    );
    expect(said).toMatch(/warn +the disk of the file has [\d.]+ MB free/);
    expect(said).toMatch(/RED +the disk of the file has 0 B free/);
  });
});
