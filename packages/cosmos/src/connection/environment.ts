/** Reads options from environment variables. No other file of the package reads the environment. */
import type { CosmosProviderOptions } from "./options.ts";

const VARIABLES = {
  endpoint: "COSMOSDB_ENDPOINT",
  key: "COSMOSDB_KEY",
  connectionString: "COSMOSDB_CONNECTION_STRING",
  database: "COSMOSDB_DATABASE",
  container: "COSMOSDB_CONTAINER",
} as const;

/** Reads the COSMOSDB_ variables; one that is empty counts as absent. */
export function optionsFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): CosmosProviderOptions {
  const given = Object.entries(VARIABLES).flatMap(([option, variable]) => {
    const value = env[variable]?.trim();
    return value === undefined || value === "" ? [] : [[option, value] as const];
  });
  return Object.fromEntries(given);
}
