/** Reads the body of a patch: a bare list of operations, or `{condition, operations}`. */
import { CosmosError } from "../../../protocol/cosmos-error.ts";
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";
import { isJsonObject } from "../../../protocol/json-text.ts";
import type { PatchOperation, PatchRequest } from "../item-operation.ts";

const MAX_OPERATIONS = 10;

/** Throws 400 if the body is not a patch. `value` comes from `parseJson`. */
export function parsePatch(value: JsonValue): PatchRequest {
  if (Array.isArray(value)) return { operations: parseOperations(value) };
  if (!isJsonObject(value))
    throw invalidPatch("it must be a list of operations or an object with operations");
  const { operations, condition } = value;
  if (condition === undefined || condition === null) return { operations: parseOperations(operations) };
  if (typeof condition !== "string")
    throw invalidPatch('its condition must be a string such as "from c where c.n = 1"');
  return { condition, operations: parseOperations(operations) };
}

function parseOperations(value: JsonValue | undefined): readonly PatchOperation[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalidPatch("operations must be a list that is not empty");
  if (value.length > MAX_OPERATIONS) {
    throw invalidPatch(
      `it has ${value.length} operations, more than the ${MAX_OPERATIONS} that are supported`,
    );
  }
  return value.map((operation: JsonValue) => parseOperation(operation));
}

function parseOperation(value: JsonValue): PatchOperation {
  if (!isJsonObject(value)) throw invalidPatch("each operation must be an object with op and path");
  const path = textOf(value, "path");
  // The Java and .NET SDKs write the names with capitals in old versions.
  switch (textOf(value, "op").toLowerCase()) {
    case "add":
      return { op: "add", path, value: operand(value) };
    case "set":
      return { op: "set", path, value: operand(value) };
    case "replace":
      return { op: "replace", path, value: operand(value) };
    case "incr":
    case "increment":
      return { op: "incr", path, value: operand(value) };
    case "remove":
      return { op: "remove", path };
    case "move":
      return { op: "move", path, from: textOf(value, "from") };
    default:
      throw invalidPatch(`${JSON.stringify(value["op"])} is none of add, set, replace, remove, incr, move`);
  }
}

function operand(operation: JsonObject): JsonValue {
  const { value } = operation;
  if (value === undefined)
    throw invalidPatch(`the operation ${JSON.stringify(operation["op"])} needs a value`);
  return value;
}

function textOf(operation: JsonObject, name: string): string {
  const text = operation[name];
  if (typeof text !== "string") throw invalidPatch(`each operation needs ${name} as a string`);
  return text;
}

export function invalidPatch(reason: string): CosmosError {
  return CosmosError.badRequest(`The patch is invalid: ${reason}.`);
}

/** Returns the steps from the root, at least one; 400 if the path is malformed. */
export function parsePatchPath(path: string): readonly string[] {
  if (!path.startsWith("/") || path === "/") {
    throw invalidPatch(`the path ${JSON.stringify(path)} must begin with a slash and name a property`);
  }
  return path
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Returns the place of a step in a list with `length` elements; undefined if it is no index. `-` is the place after
 * the last.
 */
export function listIndex(step: string, length: number): number | undefined {
  if (step === "-") return length;
  return /^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : undefined;
}
