/**
 * A file beside the database that holds room on the disk for deletions (docs/decisions/sqlite-files.md): a full disk
 * leaves no room for the log of a deletion, nor for the checkpoint that would start the log again.
 *
 * - disk-reserve.DR1: Only a process that fetches work makes the reserve, of a store that has filled its log once, and
 *   `SETTLED_MS` later: its creation slows the syncs of commits, and a store that is deleted soon needs none.
 * - disk-reserve.DR2: It is made only while the disk has several times its room, so that it fills no disk. It grows by a
 *   piece at a time, because the disk writes it while commits wait for their syncs.
 * - disk-reserve.DR3: Only a deletion that fails on a full disk gives it up, and an open a part of it, because the files
 *   beside the database need some room. It is made again when there is room.
 * - disk-reserve.DR4: Another file at its path, or a link, is left alone. A file is the reserve if it begins with its
 *   header.
 */
import { randomFillSync } from "node:crypto";
import {
  closeSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@duroxide-ts/core";
import { hasPassed } from "@duroxide-ts/core/stores";

/** Room for a checkpoint of the whole log, and for a log of deletions. */
export const RESERVE_BYTES: number = 8 * 1024 * 1024;

/** Free room of which the reserve is a part. */
const LEAST_FREE_BYTES = 4 * RESERVE_BYTES;

/** The interval at which the reserve is looked for, ms. */
const LOOK_MS = 60_000;

/** Time from the first full log to the first piece, ms. */
const SETTLED_MS = 5_000;

/** The interval at which it grows, ms. */
const GROW_MS = 100;

const PIECE_BYTES = 1024 * 1024;

const HEADER = Buffer.from("duroxide-ts reserve: room for deletions on a full disk\n");

export class DiskReserve {
  readonly #path: string | undefined;
  readonly #clock: Clock;
  #timesGiven = 0;
  #isGiven = false;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #isWhole = true;
  /** Time of the first call of `keep`, ms. */
  #firstMs: number | undefined;

  /** `path` is that of the database; `undefined` for one in memory. */
  constructor(path: string | undefined, clock: Clock) {
    this.#path = path === undefined ? undefined : reserveOf(path);
    this.#clock = clock;
  }

  /** How often this process has given up the reserve. */
  get timesGiven(): number {
    return this.#timesGiven;
  }

  /** Whether this process has given up the reserve, and has not made it again. */
  get isGiven(): boolean {
    return this.#isGiven;
  }

  /** Adds a piece to the reserve if it is not whole and there is room. Called after commits, once the log was full. */
  keep(): void {
    const path = this.#path;
    if (path === undefined || !this.#isTime(this.#clock.now())) return;
    // Unless the reserve grows now, the next look is `LOOK_MS` later, also after a failure.
    this.#isWhole = true;
    try {
      const bytes = sizeOf(path) ?? RESERVE_BYTES;
      const isMissing = bytes < RESERVE_BYTES;
      if (isMissing && freeBytes(path) < LEAST_FREE_BYTES) return;
      if (isMissing) this.#isWhole = grow(path, bytes) >= RESERVE_BYTES;
      if (this.#isWhole) this.#isGiven = false;
    } catch {
      removeReserve(path);
    }
  }

  #isTime(nowMs: number): boolean {
    this.#firstMs ??= nowMs;
    const isTime =
      hasPassed(nowMs, this.#firstMs, SETTLED_MS) &&
      hasPassed(nowMs, this.#lookedMs, this.#isWhole ? LOOK_MS : GROW_MS);
    if (isTime) this.#lookedMs = nowMs;
    return isTime;
  }

  /** Gives the room back if there is any, and the disk is full. */
  give(): void {
    const path = this.#path;
    if (path === undefined) return;
    try {
      if (freeBytes(path) >= RESERVE_BYTES || !sizeOf(path)) return;
      rmSync(path);
      this.#timesGiven++;
      this.#isGiven = true;
    } catch {
      // There is none.
    }
  }
}

/** Whether the disk of the database is full, as far as an open is concerned. */
export function isDiskFull(path: string): boolean {
  try {
    return freeBytes(path) < PIECE_BYTES;
  } catch {
    return false;
  }
}

/** Gives up a part of the reserve for the files beside the database; false if there is none. */
export function givePart(path: string): boolean {
  const reserve = reserveOf(path);
  try {
    const bytes = sizeOf(reserve) ?? 0;
    if (bytes < PIECE_BYTES || !isDiskFull(path)) return false;
    truncateSync(reserve, Math.max(HEADER.length, bytes - PIECE_BYTES));
    return true;
  } catch {
    return false;
  }
}

function reserveOf(path: string): string {
  return `${path}-reserve`;
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

/** Removes a reserve that could not be written whole. */
function removeReserve(path: string): void {
  try {
    if (sizeOf(path) !== undefined) rmSync(path, { force: true });
  } catch {
    // It cannot be looked at either.
  }
}

/** Bytes of the reserve, 0 if there is none; `undefined` if something else has its place (disk-reserve.DR4). */
function sizeOf(path: string): number | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  return stats.isFile() && beginsWithHeader(path) ? stats.size : undefined;
}

function beginsWithHeader(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const found = Buffer.alloc(HEADER.length);
    return readSync(file, found, 0, HEADER.length, 0) === HEADER.length && found.equals(HEADER);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes bytes that no file system compresses to its end, and first the header. Never through a file that is not the
 * reserve. Returns the new size.
 */
function grow(path: string, bytes: number): number {
  const piece = randomFillSync(Buffer.alloc(Math.min(PIECE_BYTES, RESERVE_BYTES - bytes)));
  if (bytes === 0) HEADER.copy(piece);
  const file = openSync(path, bytes === 0 ? "wx" : "r+");
  try {
    return bytes + writeSync(file, piece, 0, piece.length, bytes);
  } finally {
    closeSync(file);
  }
}
