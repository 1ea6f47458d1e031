/**
 * A disk with one cache in front of it, as an operating system has. What is written is seen by every process at once; what
 * was not synced may be lost, or torn, when the power fails.
 *
 * - disk.D1: After a power failure a file is what its last sync left, plus any part of what was written since, in no
 *   order.
 * - disk.D2: A write of several sectors may be torn between sectors, never within one.
 * - disk.D3: A name may be taken from a file while processes have it open, and be given to another file.
 * - disk.D4: Creating and removing files is durable at once. SQLite syncs directories where it must; that is not
 *   simulated.
 */
import { invariant } from "@duroxide-ts/core/stores";
import type { Chance } from "../world/chance.ts";
import { FileBytes } from "./file-bytes.ts";

const SECTOR_BYTES = 512;

interface Change {
  readonly offset: number;
  /** `undefined` for a truncation at the offset. */
  readonly data: Uint8Array | undefined;
}

export class DiskFile {
  /** Another one for every file that is created, whatever its name. */
  readonly id: number;
  readonly #losesPower: boolean;
  #cached = new FileBytes();
  /** These two stay empty where the power never fails. */
  #durable = new FileBytes();
  #unsynced: Change[] = [];
  #changes = 0;

  constructor(id: number, losesPower: boolean) {
    this.id = id;
    this.#losesPower = losesPower;
  }

  /** Grows with everything that changes what a process reads. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#cached.length;
  }

  /** Fills the target; returns how many bytes the file had. */
  read(target: Uint8Array, offset: number): number {
    return this.#cached.read(target, offset);
  }

  write(data: Uint8Array, offset: number): void {
    this.#change({ offset, data });
  }

  truncate(size: number): void {
    this.#change({ offset: size, data: undefined });
  }

  sync(): void {
    invariant(this.#losesPower || this.#unsynced.length === 0, "disk.D1");
    for (const change of this.#unsynced) apply(this.#durable, change);
    this.#unsynced = [];
  }

  copy(id: number): DiskFile {
    const copy = new DiskFile(id, this.#losesPower);
    copy.#cached = this.#cached.copy();
    return copy;
  }

  /** Everything that a process reads of it is as durable as if it had been synced long ago. */
  settle(): void {
    if (!this.#losesPower) return;
    this.#durable = this.#cached.copy();
    this.#unsynced = [];
  }

  /** disk.D1, disk.D2. */
  losePower(chance: Chance): void {
    const keep = chance.pick([0, 0.5, 0.9]);
    for (const change of this.#unsynced) {
      if (!chance.happens(keep)) continue;
      if (change.data === undefined) apply(this.#durable, change);
      else apply(this.#durable, { ...change, data: torn(change.data, chance) });
    }
    this.#unsynced = [];
    this.#cached = this.#durable.copy();
    this.#changes++;
  }

  #change(change: Change): void {
    this.#changes++;
    apply(this.#cached, change);
    if (!this.#losesPower) return;
    // The caller may use the memory of the data again.
    this.#unsynced.push(change.data === undefined ? change : { ...change, data: change.data.slice() });
  }
}

function apply(bytes: FileBytes, { offset, data }: Change): void {
  if (data === undefined) bytes.truncate(offset);
  else bytes.write(data, offset);
}

function torn(data: Uint8Array, chance: Chance): Uint8Array {
  if (!chance.happens(0.2)) return data;
  return data.subarray(0, SECTOR_BYTES * chance.below(1 + Math.floor(data.length / SECTOR_BYTES)));
}

/** Faults of the disk at the moment; rates from 0 to 1. */
export interface DiskWeather {
  isFull: boolean;
  readErrors: number;
  writeErrors: number;
  syncErrors: number;
}

export const GOOD_DISK: Readonly<DiskWeather> = {
  isFull: false,
  readErrors: 0,
  writeErrors: 0,
  syncErrors: 0,
};

export class Disk {
  weather: DiskWeather = { ...GOOD_DISK };
  readonly chance: Chance;
  readonly #files = new Map<string, DiskFile>();
  readonly #losesPower: boolean;
  #created = 0;

  /** Creates a disk. One that never loses power keeps nothing for that case. */
  constructor(chance: Chance, { losesPower }: { readonly losesPower: boolean }) {
    this.chance = chance;
    this.#losesPower = losesPower;
  }

  find(path: string): DiskFile | undefined {
    return this.#files.get(path);
  }

  open(path: string): DiskFile {
    const file = this.#files.get(path) ?? new DiskFile(++this.#created, this.#losesPower);
    this.#files.set(path, file);
    return file;
  }

  /** Copies what a process would read of the file to another name. */
  copy(from: string, to: string): void {
    this.#files.delete(to);
    const source = this.#files.get(from);
    if (source !== undefined) this.#files.set(to, source.copy(++this.#created));
  }

  /** A process that has the file open goes on in it. */
  remove(path: string): void {
    this.#files.delete(path);
  }

  losePower(): void {
    for (const file of this.#files.values()) file.losePower(this.chance);
  }
}
