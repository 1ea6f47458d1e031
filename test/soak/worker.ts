/** A process that serves innocent and hostile handlers alike, until it is killed or a handler ends it. */
import { appendFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, type Provider, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { openSideLog } from "../storm/side-log.ts";
import { allHandlers } from "./programs/all.ts";
import { MAX_ATTEMPTS, type WorkerSettings } from "./settings.ts";
import type { StoreAddress } from "./stores/soak-store.ts";

const settings = JSON.parse(process.argv[2] ?? "") as WorkerSettings;
const { name, folder, lockMs, deployment } = settings;

// The worker ends with its parent.
process.once("disconnect", () => process.exit());

const log = openSideLog(folder, name);

/** Warnings and errors, as evidence. */
function warningsTo(file: string): Logger {
  const write = (level: string) => (fields: object, message: string) =>
    appendFileSync(file, `${new Date().toISOString()} ${level} ${message} ${JSON.stringify(fields)}\n`);
  return { debug() {}, info() {}, warn: write("warn"), error: write("error") };
}

/** A store that cannot be reached at the start is tried again, as a supervisor would. */
async function open(store: StoreAddress): Promise<Provider> {
  for (;;) {
    try {
      return await openOnce(store);
    } catch (error) {
      warnings.warn({ error: String(error) }, "the store cannot be opened");
      await sleep(500);
    }
  }
}

function openOnce(store: StoreAddress): Promise<Provider> {
  if (store.kind === "sqlite") return SqliteProvider.open(store.file, { maxSizeBytes: store.maxSizeBytes });
  const { endpoint, key, database, container } = store;
  const membership = { beatMs: 2_000, leaseMs: 6_000 };
  return CosmosProvider.connect({ endpoint, key, database, container, membership });
}

const warnings = warningsTo(path.join(folder, `${name}.warnings`));

await Runtime.start({
  provider: await open(settings.store),
  ...allHandlers(log, deployment),
  logger: warnings,
  maxAttempts: MAX_ATTEMPTS,
  orchestratorLockTimeoutMs: lockMs,
  workerLockTimeoutMs: lockMs,
  orchestrationConcurrency: 30,
  workerConcurrency: 40,
});

// It takes work from now on.
process.send?.("serving");
