/** SQLite recovers what a process wrote that died before its sync (open-database.O3). */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Death } from "./recovered-commits.ts";

const MAIN = path.join(import.meta.dirname, "recovered-commits.ts");
const FROM_SOURCE = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

it("a power failure does not take back what a process has read", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...FROM_SOURCE, MAIN]);
  const deaths = JSON.parse(stdout) as readonly Death[];

  expect(deaths.filter(({ seen, left }) => left < seen)).toEqual([]);
  expect(deaths).toContainEqual({ at: "sync log", seen: 2, left: 2 });
});
