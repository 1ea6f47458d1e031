/** A fault in one operation of an atomic batch: which operation it is, and the check of what came from outside. */
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { isJsonObject, parseJson } from "../../protocol/json-text.ts";
import type { ErrorFields } from "./error-fields.ts";
import { invalidFault, optionalCount } from "./fault-input.ts";

/** The types of operations that a batch may have. */
export type BatchOperationType = "Create" | "Upsert" | "Replace" | "Patch" | "Read" | "Delete";

/** The operation of a batch that is refused, and the error. */
export interface OperationError extends Omit<ErrorFields, "message"> {
  readonly kind: "operationError";
  /** The place of the operation in the batch, from 0. */
  readonly index?: number;
  /** The first operation of this type, or the one at `index` if it is of this type. */
  readonly operationType?: BatchOperationType;
}

/** A fault that hit an operation of a batch. */
export interface RefusedOperation {
  readonly index: number;
  readonly error: OperationError;
}

const TYPES: readonly JsonValue[] = ["Create", "Upsert", "Replace", "Patch", "Read", "Delete"];

export function checkOperationError(effect: JsonObject): void {
  optionalCount(effect, "index", 0);
  const operationType = effect["operationType"];
  if (operationType !== undefined && !TYPES.includes(operationType)) {
    throw invalidFault(`"operationType" is one of ${TYPES.join(", ")}.`);
  }
}

/** Finds the operation: the first one where neither is given; undefined where the batch has no such operation. */
export function refusedIndex(
  { index, operationType }: OperationError,
  types: readonly JsonValue[],
): number | undefined {
  const found = index ?? (operationType === undefined ? 0 : types.indexOf(operationType));
  const type = types[found];
  return type === undefined || (operationType !== undefined && type !== operationType) ? undefined : found;
}

/** Reads the types of the operations; none where the body is no batch, which its handler refuses. */
export function operationTypes(body: Buffer): readonly JsonValue[] {
  try {
    const entries = parseJson(body.toString("utf8"));
    return Array.isArray(entries)
      ? entries.map((entry) => (isJsonObject(entry) ? (entry["operationType"] ?? "") : ""))
      : [];
  } catch {
    return [];
  }
}
