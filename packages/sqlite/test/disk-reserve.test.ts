/** The reserve beside a database, and what else may lie at its path (disk-reserve.DR4). */
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { beforeEach, expect, it } from "vitest";
import { DiskReserve, RESERVE_BYTES } from "../src/connection/disk-reserve.ts";
import { type Folder, temporaryFolder } from "./support/fixture.ts";

let folder: Folder;
let reserve: DiskReserve;
let path: string;

beforeEach(() => {
  folder = temporaryFolder();
  const database = folder.file("orders.db");
  path = `${database}-reserve`;
  reserve = new DiskReserve(database, new VirtualClock());
  return () => folder[Symbol.dispose]();
});

it("is made where nothing lies", () => {
  reserve.keep();
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
