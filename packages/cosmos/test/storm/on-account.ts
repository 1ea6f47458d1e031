/** A storm on the account that the environment names, without faults but the deaths of processes. */
import { randomUUID } from "node:crypto";
import { Client } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { applyLoad } from "../../../../test/storm/load.ts";
import { endingsOf, type Report } from "../../../../test/storm/report.ts";
import { removeContainer } from "../../../../test/support/stores/remove-container.ts";
import {
  BREAKDOWNS,
  ENDINGS,
  interrupt,
  LEFTOVERS,
  type StormOptions,
  startProcesses,
  whenCalm,
} from "./storm.ts";

/** Runs the storm in a container of its own, which it removes. */
export async function runStormOnAccount(options: StormOptions): Promise<Report> {
  const { COSMOSDB_ENDPOINT: endpoint = "", COSMOSDB_KEY: key = "", COSMOSDB_DATABASE } = process.env;
  const database = COSMOSDB_DATABASE || "duroxide";
  const container = `storm-${randomUUID().slice(0, 8)}`;
  let requests = 0;
  const onRequest = (): void => {
    requests++;
  };
  try {
    await using provider = await CosmosProvider.fromEnvironment(process.env, {
      database,
      container,
      onRequest,
    });
    // The processes find the key in their environment: a command line can be read by every process.
    await using processes = startProcesses({ connectionString: "", database, container }, options);
    const interruptions = interrupt(processes, options);
    const { orchestrations, violations } = await applyLoad(new Client(provider), options);
    await interruptions.end();
    const connectionString = `AccountEndpoint=${endpoint};AccountKey=${key};`;
    const stored = await whenCalm({ connectionString, database, container });
    return {
      facts: {
        orchestrations,
        processes: endingsOf(processes),
        "requests of this process": requests,
        documents: stored.documents,
      },
      broken: {
        [ENDINGS]: violations,
        [BREAKDOWNS]: processes.breakdowns,
        [LEFTOVERS]: stored.violations,
      },
    };
  } finally {
    await removeContainer({ endpoint, key, database, container });
  }
}
