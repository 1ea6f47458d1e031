/** SQLite recovers what a process wrote that died before its sync (open-database.O3). */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import type { Death } from "./recovered-commits.ts";

const MAIN = path.join(import.meta.dirname, "recovered-commits.ts");
const FROM_SOURCE = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

let deaths: readonly Death[];

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...FROM_SOURCE, MAIN]);
  deaths = JSON.parse(stdout) as readonly Death[];
});

it("a power failure does not take back what a process has read", () => {
  const ofPower = deaths.filter(({ durability }) => durability === "power");
  expect(ofPower.filter(({ seen, left }) => left < seen)).toEqual([]);
  expect(ofPower).toContainEqual({ durability: "power", at: "sync log", seen: 2, left: 2 });
});

it("with the durability `process` the death of a process takes nothing back, and a power failure the last commits at most", () => {
  const ofProcess = deaths.filter(({ durability }) => durability === "process");
  expect(ofProcess.filter(({ seen }) => seen < 1)).toEqual([]);
  expect(ofProcess.some(({ seen, left }) => left < seen)).toBe(true);
});
