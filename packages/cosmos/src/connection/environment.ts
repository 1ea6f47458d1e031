/** Reads options from environment variables. No other file of the package reads the environment. */
import { invalidOption } from "./option-checks.ts";
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

/** The options of the environment under those that are given. Throws `invalid-input` if no account is named. */
export function withEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  options: CosmosProviderOptions,
): CosmosProviderOptions {
  const both = { ...optionsFromEnvironment(env), ...options };
  if (both.endpoint !== undefined || both.connectionString !== undefined) return both;
  const { endpoint, connectionString } = VARIABLES;
  // The names that the Rust provider uses.
  const others = ["COSMOS_ENDPOINT", "COSMOS_KEY", "COSMOS_DATABASE"].filter(
    (name) => env[name] !== undefined,
  );
  const also =
    others.length === 0 ? "" : `; ${others.join(", ")} ${others.length === 1 ? "is" : "are"} not read`;
  throw invalidOption(`neither ${endpoint} nor ${connectionString} is set; set one of them${also}`);
}
