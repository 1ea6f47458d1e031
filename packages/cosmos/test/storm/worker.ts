/** A process that serves orchestrations until it is killed. */
import { Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { activities, orchestrations } from "../../../../test/storm/programs.ts";

const [connectionString = "", database = "", container = ""] = process.argv.slice(2);

/** Leases are short, because many processes are killed. */
const LEASE_MS = 5_000;

const slotLeases = { beatMs: 2_000, leaseMs: 6_000 };

const provider = await CosmosProvider.connect({ connectionString, database, container, slotLeases });
await Runtime.start({
  provider,
  orchestrations,
  activities,
  orchestratorLockTimeoutMs: LEASE_MS,
  workerLockTimeoutMs: LEASE_MS,
  workerLockRenewalBufferMs: 1_000,
  orchestrationConcurrency: 20,
  workerConcurrency: 20,
});

// Nobody is left to serve when the parent is gone.
process.once("disconnect", () => process.exit());
