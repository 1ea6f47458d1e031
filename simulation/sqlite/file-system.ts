/**
 * SQLite's calls of its file system, answered by the simulated disk.
 *
 * - file-system.F1: A call of a dead process changes nothing and fails, and its locks are free.
 * - file-system.F2: A death or a power failure may come at any write or sync, which then did not happen.
 * - file-system.F3: Shared memory lives as long as a process has the file open. The first one that opens it finds it
 *   empty, and SQLite rebuilds it from the log.
 */
import type { SqliteFault } from "../faults/fault.ts";
import type { Machine } from "../world/machine.ts";
import type { Disk, DiskFile } from "./disk.ts";
import { Dooms } from "./dooms.ts";
import { FileLocks, type Handle, SharedMemoryLocks } from "./locks.ts";
import type { Methods, Pointer, SqliteModule } from "./wasm-api.ts";

const OK = 0;
const BUSY = 5;
const FULL = 13;
const CANNOT_OPEN = 14;
const IO_ERROR_READ = 266;
const IO_ERROR_SHORT_READ = 522;
const IO_ERROR_WRITE = 778;
const IO_ERROR_SYNC = 1034;
const NOT_FOUND = 12;

const OPEN_CREATE = 0x4;
const OPEN_DELETE_ON_CLOSE = 0x8;
const OPEN_READONLY = 0x1;

const SECTOR_BYTES = 512;

/** Size of the regions of shared memory that SQLite asks for. */
const REGION_BYTES = 32_768;

/** SQLite asks whether the file still has its name before it removes the log beside it. */
const HAS_MOVED = 20;

const SHM_UNLOCK = 1;
const SHM_EXCLUSIVE = 8;

/** State that all handles of a path share. */
class SharedFile {
  readonly file: DiskFile;
  readonly locks = new FileLocks();
  readonly memoryLocks = new SharedMemoryLocks();
  /** Addresses of the regions of shared memory. */
  readonly regions: Pointer[] = [];
  readonly handles = new Set<OpenFile>();
  /** Another program writes, and no process has noticed it yet. */
  isBlocked = false;

  constructor(file: DiskFile) {
    this.file = file;
  }
}

interface OpenFile extends Handle {
  readonly path: string;
  readonly shared: SharedFile;
  readonly machine: Machine | undefined;
  readonly isTemporary: boolean;
}

export interface FileSystemOptions {
  readonly module: SqliteModule;
  readonly currentMachine: () => Machine | undefined;
  readonly nowMs: () => number;
}

export const VFS_NAME = "simulated";

/** The write-ahead log, or the file itself. */
function nameOf(path: string): string {
  return path.endsWith("-wal") ? "log" : "file";
}

export class FileSystem {
  readonly #module: SqliteModule;
  readonly #options: FileSystemOptions;
  readonly #open = new Map<Pointer, OpenFile>();
  #shared = new Map<string, SharedFile>();
  #disk: Disk | undefined;
  /** file-system.F2. */
  readonly dooms = new Dooms();
  /** Called for each call that a fault hits. */
  #onHit: (fault: SqliteFault, call: string) => void = () => {};

  constructor(options: FileSystemOptions) {
    this.#module = options.module;
    this.#options = options;
    this.#install();
  }

  /** A new disk with nothing on it, for a new run. */
  mount(disk: Disk, onHit: (fault: SqliteFault, call: string) => void): void {
    this.#disk = disk;
    this.#onHit = onHit;
    this.#open.clear();
    this.dooms.clear();
    for (const { regions } of this.#shared.values())
      for (const region of regions) this.#module.wasm.dealloc(region);
    this.#shared = new Map();
    // SQLite's own random numbers begin anew, from those of the disk.
    this.#module.capi.sqlite3_randomness(0, 0);
  }

  /** file-system.F1. */
  processDied(machine: Machine): void {
    for (const shared of this.#shared.values()) {
      for (const handle of shared.handles) if (handle.machine === machine) this.#release(handle);
    }
  }

  /** Whether the file that has the name is durable now: a sync fails as those of SQLite do. */
  sync(path: string): boolean {
    const file = this.#disk?.find(path);
    const machine = this.#options.currentMachine();
    return file !== undefined && machine?.isDead !== true && this.#sync(path, file, machine);
  }

  #sync(path: string, file: DiskFile, machine: Machine | undefined): boolean {
    const call = `sync ${nameOf(path)}`;
    if (this.#fails(this.#disk?.weather.syncErrors ?? 0, call)) return false;
    if (!this.dooms.survives(machine, call)) return false;
    file.sync();
    return true;
  }

  /** Returns the identity that `stat` shows for the file that has the name now. */
  identityOf(path: string): number | undefined {
    return this.#disk?.find(path)?.id;
  }

  /** Fills the target from the file that has the name now; returns how many bytes it had. */
  readFrom(path: string, target: Uint8Array, offset: number): number {
    return this.#disk?.find(path)?.read(target, offset) ?? 0;
  }

  /** Whether a process has the file open. */
  isOpen(path: string): boolean {
    return (this.#shared.get(path)?.handles.size ?? 0) > 0;
  }

  /** Takes the name from the file. Processes that have it open share it further. */
  unlink(path: string): void {
    this.#disk?.remove(path);
    this.#shared.delete(path);
  }

  /**
   * Gives the path what processes share of the other one, if any has it open (file-system.F3). A failed commit may
   * leave frames in the log that no process reads, because the index of the log does not have them; without it they
   * would be recovered.
   */
  copyMemory(from: string, to: string): void {
    const { wasm } = this.#module;
    const source = this.#shared.get(from);
    const disk = this.#disk;
    if (source === undefined || source.handles.size === 0 || disk === undefined) return;
    const copy = new SharedFile(disk.open(to));
    for (const region of source.regions) {
      const address = wasm.alloc(REGION_BYTES);
      wasm.heap8u().copyWithin(address, region, region + REGION_BYTES);
      copy.regions.push(address);
    }
    this.#shared.set(to, copy);
  }

  /** Another program writes for a while. False where a process is just writing. */
  block(path: string): (() => void) | undefined {
    const shared = this.#shared.get(path);
    const program: Handle = {};
    if (shared?.memoryLocks.lock(program, 0, 1, true) !== true) return undefined;
    shared.isBlocked = true;
    return () => {
      shared.isBlocked = false;
      shared.memoryLocks.unlock(program, 0, 1);
    };
  }

  #release(handle: OpenFile): void {
    const { shared } = handle;
    shared.locks.lower(handle, 0);
    shared.memoryLocks.unlock(handle, 0, 8);
    shared.handles.delete(handle);
    // file-system.F3
    if (shared.handles.size > 0) return;
    for (const region of shared.regions) this.#module.wasm.dealloc(region);
    if (this.#shared.get(handle.path) === shared) this.#shared.delete(handle.path);
  }

  #install(): void {
    const { capi, vfs } = this.#module;
    const io = new capi.sqlite3_io_methods();
    io.$iVersion = 2;
    const struct = new capi.sqlite3_vfs();
    struct.$iVersion = 2;
    struct.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
    struct.$mxPathname = 512;
    vfs.installVfs({
      io: { struct: io, methods: { ...this.#fileMethods(), ...this.#memoryMethods() } },
      vfs: { struct, methods: this.#systemMethods(io.pointer), name: VFS_NAME, asDefault: true },
    });
  }

  #handle(pointer: Pointer): OpenFile | undefined {
    const handle = this.#open.get(pointer);
    return handle?.machine?.isDead === true ? undefined : handle;
  }

  #fails(rate: number, call: string): boolean {
    const fails = rate > 0 && this.#disk?.chance.happens(rate) === true;
    if (fails) this.#onHit("io-error", call);
    return fails;
  }

  #fileMethods(): Methods {
    const { wasm } = this.#module;
    const at = (pointer: Pointer, count: number): Uint8Array =>
      wasm.heap8u().subarray(pointer, pointer + count);
    return {
      xClose: (pointer: Pointer) => {
        const handle = this.#handle(pointer);
        this.#open.delete(pointer);
        if (handle === undefined) return OK;
        this.#release(handle);
        if (handle.isTemporary) this.#disk?.remove(handle.path);
        return OK;
      },
      xRead: (pointer: Pointer, target: Pointer, count: number, offset: bigint) => {
        const handle = this.#handle(pointer);
        if (handle === undefined || this.#fails(this.#disk?.weather.readErrors ?? 0, "read")) {
          return IO_ERROR_READ;
        }
        const read = handle.shared.file.read(at(target, count), Number(offset));
        return read < count ? IO_ERROR_SHORT_READ : OK;
      },
      xWrite: (pointer: Pointer, source: Pointer, count: number, offset: bigint) => {
        const handle = this.#handle(pointer);
        if (handle === undefined) return IO_ERROR_WRITE;
        const call = `write ${nameOf(handle.path)}`;
        if (this.#fails(this.#disk?.weather.writeErrors ?? 0, call)) {
          // A part of it may have been written.
          const written = (this.#disk?.chance.below(4) ?? 0) * SECTOR_BYTES;
          if (written > 0 && written < count) handle.shared.file.write(at(source, written), Number(offset));
          return IO_ERROR_WRITE;
        }
        if (!this.dooms.survives(handle.machine, call)) return IO_ERROR_WRITE;
        const { file } = handle.shared;
        if (this.#disk?.weather.isFull === true && Number(offset) + count > file.size) {
          this.#onHit("disk-full", call);
          const free = Math.max(0, file.size - Number(offset));
          if (free > 0) file.write(at(source, free), Number(offset));
          return FULL;
        }
        file.write(at(source, count), Number(offset));
        return OK;
      },
      xTruncate: (pointer: Pointer, size: bigint) => {
        const handle = this.#handle(pointer);
        if (handle === undefined) return IO_ERROR_WRITE;
        handle.shared.file.truncate(Number(size));
        return OK;
      },
      xSync: (pointer: Pointer) => {
        const handle = this.#handle(pointer);
        if (handle === undefined) return IO_ERROR_SYNC;
        return this.#sync(handle.path, handle.shared.file, handle.machine) ? OK : IO_ERROR_SYNC;
      },
      xFileSize: (pointer: Pointer, target: Pointer) => {
        wasm.poke64(target, BigInt(this.#handle(pointer)?.shared.file.size ?? 0));
        return OK;
      },
      xLock: (pointer: Pointer, level: number) => {
        const handle = this.#handle(pointer);
        return handle?.shared.locks.raise(handle, level) === true ? OK : BUSY;
      },
      xUnlock: (pointer: Pointer, level: number) => {
        const handle = this.#handle(pointer);
        handle?.shared.locks.lower(handle, level);
        return OK;
      },
      xCheckReservedLock: (pointer: Pointer, target: Pointer) => {
        wasm.poke32(target, this.#handle(pointer)?.shared.locks.isReserved === true ? 1 : 0);
        return OK;
      },
      xFileControl: (pointer: Pointer, operation: number, target: Pointer) => {
        if (operation !== HAS_MOVED) return NOT_FOUND;
        const handle = this.#handle(pointer);
        const isMoved = handle !== undefined && this.#disk?.find(handle.path) !== handle.shared.file;
        wasm.poke32(target, isMoved ? 1 : 0);
        return OK;
      },
      xSectorSize: () => 512,
      xDeviceCharacteristics: () => 0,
    };
  }

  #memoryMethods(): Methods {
    const { wasm } = this.#module;
    return {
      xShmMap: (pointer: Pointer, region: number, bytes: number, isExtended: number, target: Pointer) => {
        const handle = this.#handle(pointer);
        if (handle === undefined) return IO_ERROR_READ;
        const { regions } = handle.shared;
        while (isExtended !== 0 && regions.length <= region) {
          const address = wasm.alloc(bytes);
          wasm.heap8u().fill(0, address, address + bytes);
          regions.push(address);
        }
        wasm.poke32(target, regions[region] ?? 0);
        return OK;
      },
      xShmLock: (pointer: Pointer, first: number, count: number, flags: number) => {
        const handle = this.#handle(pointer);
        if (handle === undefined) return BUSY;
        const { memoryLocks } = handle.shared;
        if ((flags & SHM_UNLOCK) !== 0) {
          memoryLocks.unlock(handle, first, count);
          return OK;
        }
        if (memoryLocks.lock(handle, first, count, (flags & SHM_EXCLUSIVE) !== 0)) return OK;
        // SQLite tries many times; one block counts as one fault.
        if (handle.shared.isBlocked) this.#onHit("busy", "lock");
        handle.shared.isBlocked = false;
        return BUSY;
      },
      xShmBarrier: () => 0,
      xShmUnmap: (pointer: Pointer) => {
        const handle = this.#handle(pointer);
        handle?.shared.memoryLocks.unlock(handle, 0, 8);
        return OK;
      },
    };
  }

  #systemMethods(io: Pointer): Methods {
    const { wasm, capi } = this.#module;
    return {
      xOpen: (_vfs: Pointer, name: Pointer, pointer: Pointer, flags: number, outFlags: Pointer) => {
        const disk = this.#disk;
        const path = name === 0 ? `/temporary-${pointer}` : wasm.cstrToJs(name);
        if (disk === undefined || ((flags & OPEN_CREATE) === 0 && disk.find(path) === undefined))
          return CANNOT_OPEN;
        const shared = this.#shared.get(path) ?? new SharedFile(disk.open(path));
        this.#shared.set(path, shared);
        const handle: OpenFile = {
          path,
          shared,
          machine: this.#options.currentMachine(),
          isTemporary: name === 0 || (flags & OPEN_DELETE_ON_CLOSE) !== 0,
        };
        shared.handles.add(handle);
        this.#open.set(pointer, handle);
        new capi.sqlite3_file(pointer).$pMethods = io;
        if (outFlags !== 0) wasm.poke32(outFlags, flags & ~OPEN_READONLY);
        return OK;
      },
      xDelete: (_vfs: Pointer, name: Pointer) => {
        this.unlink(wasm.cstrToJs(name));
        return OK;
      },
      xAccess: (_vfs: Pointer, name: Pointer, _flags: number, target: Pointer) => {
        wasm.poke32(target, this.#disk?.find(wasm.cstrToJs(name)) === undefined ? 0 : 1);
        return OK;
      },
      xFullPathname: (_vfs: Pointer, name: Pointer, count: number, target: Pointer) => {
        const bytes = Buffer.from(`${wasm.cstrToJs(name)}\0`);
        if (bytes.length > count) return CANNOT_OPEN;
        wasm.heap8u().set(bytes, target);
        return OK;
      },
      xRandomness: (_vfs: Pointer, count: number, target: Pointer) => {
        for (let at = 0; at < count; at++) wasm.heap8u()[target + at] = this.#disk?.chance.below(256) ?? 0;
        return count;
      },
      xSleep: (_vfs: Pointer, microseconds: number) => microseconds,
      xCurrentTimeInt64: (_vfs: Pointer, target: Pointer) => {
        wasm.poke64(target, BigInt(Math.round(210_866_760_000_000 + this.#options.nowMs())));
        return OK;
      },
      xGetLastError: () => OK,
    };
  }
}
