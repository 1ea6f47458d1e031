/** The reserve beside a database, and what else may lie at its path (disk-reserve.DR4). */
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { beforeEach, expect, it } from "vitest";
import { DiskReserve, RESERVE_BYTES } from "../src/connection/disk-reserve.ts";
import { type Folder, temporaryFolder } from "./support/fixture.ts";

let folder: Folder;
const SETTLED_MS = 5_000;
const PIECE_BYTES = 1024 * 1024;

let clock: VirtualClock;
let reserve: DiskReserve;
let path: string;

beforeEach(async () => {
  folder = temporaryFolder();
  const database = folder.file("orders.db");
  path = `${database}-reserve`;
  clock = new VirtualClock();
  reserve = new DiskReserve(database, clock);
  reserve.keep();
  expect(existsSync(path)).toBe(false);
  await clock.advance(SETTLED_MS);
  return () => folder[Symbol.dispose]();
});

it("is made where nothing lies, a piece at a time (disk-reserve.DR2)", async () => {
  const sizes: number[] = [];
  for (let n = 0; n < 12; n++, await clock.advance(100)) {
    reserve.keep();
    reserve.keep();
    sizes.push(statSync(path).size);
  }
  const growing = Array.from({ length: 12 }, (_, n) => Math.min((n + 1) * PIECE_BYTES, RESERVE_BYTES));
  expect(sizes).toEqual(growing);
});

it("goes on where another process has left a part of it", async () => {
  reserve.keep();
  const next = new DiskReserve(path.slice(0, -"-reserve".length), clock);
  next.keep();
  await clock.advance(SETTLED_MS);
  for (let n = 0; n < 8; n++, await clock.advance(100)) next.keep();
  expect(statSync(path).size).toBe(RESERVE_BYTES);
});

it("leaves a file of somebody else as it is", () => {
  writeFileSync(path, "the seats of the theatre");
  reserve.keep();
  reserve.give();
  expect(readFileSync(path, "utf8")).toBe("the seats of the theatre");
});

it("writes through no link", () => {
  const target = folder.file("target");
  writeFileSync(target, "the seats of the theatre");
  symlinkSync(target, path);
  reserve.keep();
  expect(readFileSync(target, "utf8")).toBe("the seats of the theatre");
  expect(existsSync(path)).toBe(true);
});
