import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import type { OpenedStore, StoreKind, StoreOptions } from "./store.ts";

export const sqlite: StoreKind = {
  name: "SQLite",
  time: "virtual",
  open: ({ file, ...options }) => (file ? openFile(options) : openMemory(options)),
};

type ProviderOptions = Omit<StoreOptions, "file">;

/** A file is asked for other processes' commits at every interval, and here there is no other process. */
const POLL_INTERVAL_MS = 86_400_000;

async function openMemory(options: ProviderOptions): Promise<OpenedStore> {
  return {
    ...onDisk(":memory:", options),
    async [Symbol.asyncDispose]() {},
  };
}

async function openFile(options: ProviderOptions): Promise<OpenedStore> {
  const folder = await mkdtemp(path.join(tmpdir(), "duroxide-ts-"));
  return {
    ...onDisk(path.join(folder, "store.db"), options),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function onDisk(file: string, options: ProviderOptions): Omit<OpenedStore, keyof AsyncDisposable> {
  return {
    path: file,
    connect: () => SqliteProvider.open(file, { ...options, pollIntervalMs: POLL_INTERVAL_MS }),
  };
}
