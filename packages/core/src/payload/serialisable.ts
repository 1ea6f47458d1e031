/**
 * Checks that JSON can hold a value. JSON.stringify silently converts many values to `null` or `{}`, or omits them;
 * here every such value is rejected with its place. The one exception is `undefined`: it becomes `null` as the whole
 * value and in arrays, and is left out of objects. (Plain JSON writes -0 as 0.)
 */

import { hasToJson, opaqueReason } from "../errors/opaque-values.ts";
import { quietPromise } from "../errors/quiet-promises.ts";
import { types } from "../host/node-types.ts";
import { PayloadError } from "./payload-error.ts";

type Path = readonly (string | number)[];

/** Throws a PayloadError unless all of the value can be written as JSON. */
export function assertSerialisable(codec: string, value: unknown): void {
  if (typeof value === "string" || value === undefined || value === null) return;
  try {
    inspect({ codec, path: [], ancestors: [] }, value);
  } catch (error) {
    if (PayloadError.is(error)) throw error;
    // A getter or toJSON of the value threw, or the value is nested too deeply for the stack.
    throw new PayloadError(codec, "", `cannot be written as JSON: ${String(error)}`, { cause: error });
  }
}

interface Walk {
  readonly codec: string;
  readonly path: (string | number)[];
  readonly ancestors: object[];
}

function inspect(walk: Walk, value: unknown): void {
  if (typeof value === "object") {
    if (value !== null) inspectObject(walk, value);
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(walk, `is ${value}, which JSON cannot express`);
  } else if (typeof value === "bigint") {
    refuse(walk, "is a bigint; convert it to a string or a number");
  } else if (typeof value === "function" || typeof value === "symbol") {
    refuse(walk, `is a ${typeof value}; only data can be stored`);
  }
}

function inspectObject(walk: Walk, value: object): void {
  if (walk.ancestors.includes(value))
    refuse(walk, "refers back to an object that holds it; JSON has no cycles");
  if (types.isDate(value) && Number.isNaN(value.getTime()))
    refuse(walk, "is an invalid Date, which JSON would store as null");
  refuseOpaque(walk, value);
  walk.ancestors.push(value);
  if (hasToJson(value)) {
    inspect(walk, value.toJSON(walk.path.at(-1)?.toString() ?? ""));
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) inspectMember(walk, index, value[index]);
  } else if (types.isNumberObject(value)) inspect(walk, value.valueOf());
  else {
    for (const key of Object.keys(value)) inspectMember(walk, key, (value as Record<string, unknown>)[key]);
  }
  walk.ancestors.pop();
}

function inspectMember(walk: Walk, step: string | number, value: unknown): void {
  walk.path.push(step);
  inspect(walk, value);
  walk.path.pop();
}

function refuseOpaque(walk: Walk, value: object): void {
  const reason = opaqueReason(value);
  if (reason === undefined) return;
  // A getter or an async toJSON of the value may have made the promise.
  quietPromise(value);
  refuse(walk, reason);
}

function refuse({ codec, path }: Walk, reason: string): never {
  throw new PayloadError(codec, pathText(path), reason);
}

function pathText(path: Path): string {
  return path
    .map((step) =>
      typeof step === "number"
        ? `[${step}]`
        : /^[\w$]+$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join("")
    .replace(/^\./, "");
}
