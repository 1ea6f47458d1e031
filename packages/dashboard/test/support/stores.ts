/** The stores on which the screens are tested. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Provider, silentLogger } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { IS_DEEP, SEED } from "../../../../test/support/effort.ts";
import { putForeignRows } from "../../../../test/support/stores/foreign-rows.ts";

export interface TestStore extends AsyncDisposable {
  readonly provider: Provider;
  /** Name of the store on the command line. */
  readonly named: string;
  /** Stores a message with this text for each of the instances, past the provider. */
  putMessages(instanceIds: readonly string[], text: string): Promise<void>;
}

const STORES = ["sqlite", "cosmos"] as const;
export type StoreName = (typeof STORES)[number];

/**
 * On which stores a file of tests runs: both in `npm run dev -- test:deep`, otherwise one by the seed. Files with an even and
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
    named: `sqlite:${file}`,
    putMessages: async (instanceIds, text) => putRows(file, instanceIds, text),
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const INSTANCE_KEY = "(SELECT instance_key FROM instances WHERE instance_id = $id)";
const PUT_ROW = [
  "INSERT INTO instances (instance_id, created_at, updated_at) VALUES ($id, 0, 0) ON CONFLICT DO NOTHING",
  `INSERT INTO orchestrator_queue (instance_key, visible_at, work_item) VALUES (${INSTANCE_KEY}, 0, $text)`,
  "UPDATE instances SET due_at = 0 WHERE instance_id = $id",
];

function putRows(file: string, instanceIds: readonly string[], text: string): void {
  const raw = new DatabaseSync(file);
  raw.exec("BEGIN");
  for (const statement of PUT_ROW) {
    const prepared = raw.prepare(statement);
    prepared.setAllowUnknownNamedParameters(true);
    for (const $id of instanceIds) prepared.run({ $id, $text: text });
  }
  raw.exec("COMMIT");
  raw.close();
}

const PLACE = { database: "shop", container: "orders" } as const;

async function openCosmos(): Promise<TestStore> {
  const endpoint = await CosmosEmulator.start({ port: 0 });
  const provider = await CosmosProvider.connect({
    endpoint: endpoint.endpoint,
    key: endpoint.key,
    ...PLACE,
    // Only what hangs takes ten minutes: a machine with ten times the load is no failure.
    requestTimeoutMs: 600_000,
  });
  return {
    provider,
    named: `cosmos:${endpoint.endpoint}/${PLACE.database}/${PLACE.container}`,
    putMessages: (instanceIds, text) =>
      putForeignRows({ endpoint: endpoint.endpoint, key: endpoint.key, ...PLACE }, instanceIds, text),
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}
