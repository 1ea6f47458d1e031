/** The stores on which the screens are tested. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Provider, silentLogger } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { IS_DEEP, SEED } from "../../../../test/support/effort.ts";

export interface TestStore extends AsyncDisposable {
  readonly provider: Provider;
  /** Of SQLite. */
  readonly file?: string;
}

const STORES = ["sqlite", "cosmos"] as const;
export type StoreName = (typeof STORES)[number];

/**
 * On which stores a file of tests runs: both in `npm run test:deep`, otherwise one by the seed. Files with an even and
 * with an odd number are on different stores in each run.
 */
export function storesOfRun(file: number): readonly StoreName[] {
  return IS_DEEP ? STORES : STORES.filter((_, index) => (SEED + file) % STORES.length === index);
}

export async function openStore(name: StoreName): Promise<TestStore> {
  return name === "sqlite" ? openSqlite() : openCosmos();
}

async function openSqlite(): Promise<TestStore> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "dashboard-"));
  const file = path.join(folder, "orders.db");
  const provider = await SqliteProvider.open(file, { logger: silentLogger });
  return {
    provider,
    file,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openCosmos(): Promise<TestStore> {
  const endpoint = await CosmosEmulator.start({ port: 0 });
  const provider = await CosmosProvider.connect({
    endpoint: endpoint.endpoint,
    key: endpoint.key,
    database: "shop",
    container: "orders",
    // Only what hangs takes so long: a machine with ten times the load is no failure.
    requestTimeoutMs: 600_000,
  });
  return {
    provider,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}
