/**
 * The definition of a container: checked, and completed with the defaults that the service answers
 * (docs/reference/cosmos-protocol.md §1.5, §1.15).
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { isJsonObject } from "../../protocol/json-text.ts";
import type { PartitionKeyDefinition } from "../../protocol/partition-key.ts";
import { parsePropertyPath } from "../../protocol/property-path.ts";
import { checkName } from "../../protocol/resource-name.ts";
import { type IndexingPolicy, parseIndexingPolicy } from "./indexing-policy.ts";

export interface ContainerDefinition {
  readonly id: string;
  readonly partitionKey: PartitionKeyDefinition;
  readonly indexingPolicy: IndexingPolicy;
  /** Lists of paths whose values together are unique in a logical partition. */
  readonly uniqueKeys: readonly (readonly string[])[];
  /** Seconds, or -1 for "on without a default"; undefined where time to live is off. */
  readonly defaultTtlSeconds: number | undefined;
  /** The definition as it is answered, without system properties. */
  readonly body: JsonObject;
}

const MAX_KEY_LEVELS = 3;
const MAX_UNIQUE_KEYS = 10;
const MAX_UNIQUE_KEY_PATHS = 16;
export const MAX_TTL_SECONDS = 2_147_483_647;

/** Names that the endpoint adds itself. */
const SYSTEM_PROPERTIES = /^_(rid|self|etag|ts|docs|sprocs|triggers|udfs|conflicts)$/;

/** Throws 400 if the definition is not one that the service takes. */
export function parseContainerDefinition(body: JsonObject): ContainerDefinition {
  const id = checkName(body);
  const partitionKey = parsePartitionKeyDefinition(body["partitionKey"]);
  const indexing = parseIndexingPolicy(body["indexingPolicy"]);
  const defaultTtlSeconds = parseDefaultTtl(body["defaultTtl"]);
  const given = Object.entries(body).filter(
    ([name, value]) => !SYSTEM_PROPERTIES.test(name) && value !== null,
  );
  return {
    id,
    partitionKey,
    indexingPolicy: indexing.policy,
    uniqueKeys: parseUniqueKeys(body["uniqueKeyPolicy"]),
    defaultTtlSeconds,
    body: {
      conflictResolutionPolicy: {
        mode: "LastWriterWins",
        conflictResolutionPath: "/_ts",
        conflictResolutionProcedure: "",
      },
      geospatialConfig: { type: "Geography" },
      ...Object.fromEntries(given),
      indexingPolicy: indexing.body,
      partitionKey: partitionKey as unknown as JsonObject,
    },
  };
}

function parsePartitionKeyDefinition(value: JsonValue | undefined): PartitionKeyDefinition {
  if (value === undefined || value === null)
    throw invalid('it needs a partitionKey, such as {"paths": ["/customer"]}');
  if (typeof value === "string") return checkedKey([value], "Hash", 2);
  if (!isJsonObject(value)) throw invalid("partitionKey must be an object with paths, kind and version");
  const { paths, kind = "Hash", version = 1, systemKey } = value;
  if (!isTextList(paths) || paths.length === 0)
    throw invalid("partitionKey.paths must list at least one path");
  if (kind !== "Hash" && kind !== "MultiHash")
    throw invalid('partitionKey.kind must be "Hash" or "MultiHash"');
  if (version !== 1 && version !== 2) throw invalid("partitionKey.version must be 1 or 2");
  return { ...checkedKey(paths, kind, version), ...(systemKey === true && { systemKey: true }) };
}

function checkedKey(
  paths: readonly string[],
  kind: "Hash" | "MultiHash",
  version: 1 | 2,
): PartitionKeyDefinition {
  for (const path of paths) parsePropertyPath(path);
  if (kind === "Hash" && paths.length > 1)
    throw invalid('several partition key paths need the kind "MultiHash"');
  if (paths.length > MAX_KEY_LEVELS) throw invalid(`a partition key has at most ${MAX_KEY_LEVELS} paths`);
  if (kind === "MultiHash" && version === 1) throw invalid('the kind "MultiHash" needs version 2');
  return { paths, kind, version };
}

function parseUniqueKeys(value: JsonValue | undefined): readonly (readonly string[])[] {
  if (value === undefined || value === null) return [];
  const keys = isJsonObject(value) ? value["uniqueKeys"] : undefined;
  if (!Array.isArray(keys)) throw invalid("uniqueKeyPolicy must be an object with a list uniqueKeys");
  if (keys.length > MAX_UNIQUE_KEYS) throw invalid(`a container has at most ${MAX_UNIQUE_KEYS} unique keys`);
  return keys.map((key: JsonValue) => {
    const paths = isJsonObject(key) ? key["paths"] : undefined;
    if (!isTextList(paths) || paths.length === 0 || paths.length > MAX_UNIQUE_KEY_PATHS) {
      throw invalid(`a unique key lists 1 to ${MAX_UNIQUE_KEY_PATHS} paths`);
    }
    for (const path of paths) parsePropertyPath(path);
    return paths;
  });
}

function parseDefaultTtl(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (isTtl(value)) return value;
  throw invalid(`defaultTtl must be -1 or a whole number of seconds from 1 to ${MAX_TTL_SECONDS}`);
}

/** Tells whether a value may stand in `ttl` or `defaultTtl`. */
export function isTtl(value: JsonValue): value is number {
  return (
    Number.isInteger(value) && (value === -1 || (Number(value) >= 1 && Number(value) <= MAX_TTL_SECONDS))
  );
}

function isTextList(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

function invalid(rule: string): CosmosError {
  return CosmosError.badRequest(`The definition of the container is invalid: ${rule}.`);
}
