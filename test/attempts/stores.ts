/** The stores of these tests, which several processes open. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Provider } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";

export type StoreAddress =
  | { readonly file: string }
  | { readonly connectionString: string; readonly container: string };

type SharedStores = readonly [name: string, open: () => Promise<SharedStore>];

interface SharedStore extends AsyncDisposable {
  readonly address: StoreAddress;
}

export const STORES: readonly [SharedStores, SharedStores] = [
  ["SQLite", openFile],
  ["Cosmos DB", openEndpoint],
];

export function openAddress(address: StoreAddress): Promise<Provider & AsyncDisposable> {
  if ("file" in address) return SqliteProvider.open(address.file);
  // However slow the machine is, an answer comes.
  return CosmosProvider.connect({ ...address, requestTimeoutMs: 600_000 });
}

async function openFile(): Promise<SharedStore> {
  const folder = mkdtempSync(path.join(tmpdir(), "attempts-"));
  return {
    address: { file: path.join(folder, "store.db") },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openEndpoint(): Promise<SharedStore> {
  const emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  return {
    address: { connectionString, container: `attempts-${randomUUID()}` },
    [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose](),
  };
}
