/** The body of a batch or bulk request (docs/reference/cosmos-protocol.md §1.6, §1.7): read, checked, 400 if wrong. */
import { checkBatchLength, type ItemOperation, parsePatch } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { isJsonObject, parseJson } from "../../protocol/json-text.ts";
import { type PartitionKey, parsePartitionKeyHeader } from "../../protocol/partition-key.ts";

export interface BatchEntry {
  readonly operation: ItemOperation;
  /** Partition key of a bulk operation; undefined where it has none of its own. */
  readonly partitionKey: PartitionKey | undefined;
}

export function parseBatchBody(body: Buffer): readonly BatchEntry[] {
  const entries = parseJson(body.toString("utf8"));
  if (!Array.isArray(entries)) {
    throw CosmosError.badRequest(
      "One of the input values is invalid: the body of a batch is a list of operations.",
    );
  }
  checkBatchLength(entries.length);
  return entries.map(parseEntry);
}

function parseEntry(entry: JsonValue, index: number): BatchEntry {
  if (!isJsonObject(entry)) throw invalidEntry(index, "is no object");
  const partitionKey = optionalText(entry, "partitionKey", index);
  const ifMatch = optionalText(entry, "ifMatch", index);
  const ifNoneMatch = optionalText(entry, "ifNoneMatch", index);
  return {
    operation: {
      ...parseOperation(entry, index),
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    },
    partitionKey: partitionKey === undefined ? undefined : parsePartitionKeyHeader(partitionKey),
  };
}

function parseOperation(entry: JsonObject, index: number): ItemOperation {
  switch (entry["operationType"]) {
    case "Create":
      return { kind: "create", body: document(entry, index) };
    case "Upsert":
      return { kind: "upsert", body: document(entry, index) };
    case "Replace":
      return { kind: "replace", id: id(entry, index), body: document(entry, index) };
    case "Read":
      return { kind: "read", id: id(entry, index) };
    case "Delete":
      return { kind: "delete", id: id(entry, index) };
    case "Patch":
      return { kind: "patch", id: id(entry, index), patch: parsePatch(entry["resourceBody"] ?? null) };
    default:
      throw invalidEntry(index, 'needs an "operationType": Create, Upsert, Replace, Read, Delete or Patch');
  }
}

function id(entry: JsonObject, index: number): string {
  const text = optionalText(entry, "id", index);
  if (text === undefined || text === "") throw invalidEntry(index, 'needs the "id" of its item');
  return text;
}

function document(entry: JsonObject, index: number): JsonObject {
  const body = entry["resourceBody"];
  if (!isJsonObject(body)) throw invalidEntry(index, 'needs an item as its "resourceBody"');
  return body;
}

function optionalText(entry: JsonObject, name: string, index: number): string | undefined {
  const value = entry[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw invalidEntry(index, `has a "${name}" that is no text`);
  return value;
}

function invalidEntry(index: number, problem: string): CosmosError {
  return CosmosError.badRequest(
    `One of the input values is invalid: operation ${index} of the batch ${problem}.`,
  );
}
