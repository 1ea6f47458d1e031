/** A process that serves orchestrations until it is killed. */
import { ProviderError, Runtime } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import {
  activities as ownActivities,
  orchestrations as ownOrchestrations,
} from "../../../../test/storm/programs.ts";
import { reportResources } from "../../../../test/storm/resources.ts";
import { CODEC } from "../rust-peer/place.ts";
import {
  activities as sharedActivities,
  orchestrations as sharedOrchestrations,
} from "../rust-peer/programs.ts";

const [connectionString = "", database = "", container = "", programs = "all"] = process.argv.slice(2);
const isMixed = programs === "of-both";
const activities = isMixed ? sharedActivities : ownActivities;
const orchestrations = isMixed ? sharedOrchestrations : ownOrchestrations;

reportResources();

/** Leases are short, because many processes are killed. */
const LEASE_MS = 5_000;

const membership = { beatMs: 2_000, leaseMs: 6_000 };

// The key of an account does not stand on a command line.
const options = { database, container, membership };
const provider = await connected();
await Runtime.start({
  provider,
  orchestrations,
  activities,
  ...(isMixed && { codec: CODEC }),
  orchestratorLockTimeoutMs: LEASE_MS,
  workerLockTimeoutMs: LEASE_MS,
  orchestrationConcurrency: 20,
  workerConcurrency: 20,
});

// The worker ends with its parent.
process.once("disconnect", () => process.exit());

/** Opens again what could not be reached for half a minute, as a supervisor does. */
async function connected(): Promise<CosmosProvider> {
  for (;;) {
    try {
      return connectionString === ""
        ? await CosmosProvider.fromEnvironment(process.env, options)
        : await CosmosProvider.connect({ connectionString, ...options });
    } catch (error) {
      if (!ProviderError.is(error) || !error.retryable) throw error;
    }
  }
}
