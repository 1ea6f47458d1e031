/** SQLite as WebAssembly, loaded once for each process of the operating system. */
import type { Machine } from "../world/machine.ts";
import { FileSystem } from "./file-system.ts";
import type { SqliteModule } from "./wasm-api.ts";

interface Loaded {
  readonly module: SqliteModule;
  readonly files: FileSystem;
}

/** The module that `node:sqlite` is replaced by has no caller that could hand it in. */
let loaded: Loaded | undefined;

export async function loadSqlite(
  currentMachine: () => Machine | undefined,
  nowMs: () => number,
): Promise<FileSystem> {
  if (loaded === undefined) {
    const { default: init } = await import("@sqlite.org/sqlite-wasm");
    const module = (await init()) as unknown as SqliteModule;
    loaded = { module, files: new FileSystem({ module, currentMachine, nowMs }) };
  }
  return loaded.files;
}

export function simulatedSqlite(): SqliteModule {
  if (loaded === undefined) throw new Error("SQLite is not loaded: call loadSqlite first");
  return loaded.module;
}

export function simulatedFiles(): FileSystem {
  if (loaded === undefined) throw new Error("SQLite is not loaded: call loadSqlite first");
  return loaded.files;
}
