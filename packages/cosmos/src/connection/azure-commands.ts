/** The az commands for changes that this process may not make, with all known values filled in. */
import { DEFAULT_TTL, indexingPolicy, PARTITION_KEY_PATH } from "./container-definition.ts";
import type { Settings } from "./options.ts";

/** The built-in role Data Contributor: reading and writing data, no rights on the account. */
const DATA_CONTRIBUTOR = "00000000-0000-0000-0000-000000000002";

/** Creates the missing database or container; both commands change nothing that exists as described. */
export function createCommands(settings: Settings): string {
  const { database, container } = settings;
  const make = `az cosmosdb sql database create ${account(settings)} --name ${quoted(database)}`;
  const parts = [
    `az cosmosdb sql container create ${account(settings)}`,
    `--database-name ${quoted(database)} --name ${quoted(container)}`,
    `--partition-key-path ${PARTITION_KEY_PATH} --partition-key-version 2 --ttl ${DEFAULT_TTL}`,
    ...throughput(settings),
    `--idx ${quoted(JSON.stringify(indexingPolicy()))}`,
  ];
  return `${make}\n${parts.join(" ")}`;
}

export function indexCommand(settings: Settings): string {
  return `${updateCommand(settings)} --idx ${quoted(JSON.stringify(indexingPolicy()))}`;
}

export function ttlCommand(settings: Settings): string {
  return `${updateCommand(settings)} --ttl ${DEFAULT_TTL}`;
}

export function roleCommand(settings: Settings): string {
  return `az cosmosdb sql role assignment create ${account(settings)} --scope / --role-definition-id ${DATA_CONTRIBUTOR} --principal-id <object-id-of-this-identity>`;
}

function updateCommand(settings: Settings): string {
  const { database, container } = settings;
  return `az cosmosdb sql container update ${account(settings)} --database-name ${quoted(database)} --name ${quoted(container)}`;
}

function throughput({ throughput: given }: Settings): readonly string[] {
  if (given === undefined) return [];
  return [typeof given === "number" ? `--throughput ${given}` : `--max-throughput ${given.autoscaleMaxRu}`];
}

/** An account's endpoint begins with its name; its resource group is not known here. */
function account({ endpoint: { hostname } }: Settings): string {
  const name = /^([a-z0-9-]+)\.documents\.azure\./.exec(hostname)?.[1] ?? "<account>";
  return `--account-name ${name} --resource-group <resource-group>`;
}

/** Quotes for a POSIX shell. */
function quoted(value: string): string {
  return /^[\w.-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
