/**
 * A file beside the database that holds room on the disk for deletions (docs/decisions/sqlite-files.md): a full disk
 * leaves no room for the log of a deletion, nor for the checkpoint that would start the log again.
 *
 * - disk-reserve.DR1: Only a process that fetches work makes the reserve, of a store that has filled its log once, and
 *   `SETTLED_MS` later: its creation slows the syncs of commits, and a store that is deleted soon needs none. Where the
 *   disk may be full soon, it is made at once.
 * - disk-reserve.DR2: It is made only while the disk has several times its room, so that it fills no disk. It grows by a
 *   piece at a time, because the disk writes it while commits wait for their syncs, but whole where the disk may be full
 *   soon.
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

/** Free room below which a quick worker may fill the disk before the reserve has grown. */
const NEAR_BYTES = 16 * RESERVE_BYTES;

/** The interval at which the reserve is looked for, ms. */
const LOOK_MS = 60_000;

/** Time from the first full log to the first piece, ms. */
const SETTLED_MS = 5_000;

/** The interval at which it grows, and at which the room is looked at before, ms. */
const GROW_MS = 100;

const PIECE_BYTES = 1024 * 1024;

const HEADER = Buffer.from("duroxide-ts reserve: room for deletions on a full disk\n");

export class DiskReserve {
  readonly #path: string | undefined;
  readonly #clock: Clock;
  #timesGiven = 0;
  #isGiven = false;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Time until the next look, ms. */
  #waitMs = GROW_MS;
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

  /** Adds to the reserve if it is not whole and there is room. Called after commits, once the log was full. */
  keep(): void {
    const path = this.#path;
    const nowMs = this.#clock.now();
    this.#firstMs ??= nowMs;
    if (path === undefined || !hasPassed(nowMs, this.#lookedMs, this.#waitMs)) return;
    this.#lookedMs = nowMs;
    this.#waitMs = LOOK_MS;
    try {
      const bytes = sizeOf(path) ?? RESERVE_BYTES;
      if (bytes >= RESERVE_BYTES || this.#grow(path, bytes)) this.#isGiven = false;
    } catch {
      this.#waitMs = LOOK_MS;
      removeReserve(path);
    }
  }

  /** True if the reserve is whole then (disk-reserve.DR1, disk-reserve.DR2). */
  #grow(path: string, bytes: number): boolean {
    const free = freeBytes(path);
    if (free < LEAST_FREE_BYTES) return false;
    this.#waitMs = GROW_MS;
    const isNear = free < NEAR_BYTES;
    if (!isNear && !hasPassed(this.#clock.now(), this.#firstMs ?? 0, SETTLED_MS)) return false;
    let size = bytes;
    do size = grow(path, size);
    while (isNear && size < RESERVE_BYTES);
    if (size < RESERVE_BYTES) return false;
    this.#waitMs = LOOK_MS;
    return true;
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
