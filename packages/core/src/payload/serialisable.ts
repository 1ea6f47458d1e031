/**
 * Checks that JSON can hold a value. JSON.stringify silently converts many values to `null` or `{}`, or omits them;
 * here every such value is rejected with its place. The one exception is `undefined`: it becomes `null` as the whole
 * value and in arrays, and is left out of objects. (Plain JSON writes -0 as 0.)
 */
import { quietPromise } from "../errors/quiet-promises.ts";
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
  if (value instanceof Date && Number.isNaN(value.getTime()))
    refuse(walk, "is an invalid Date, which JSON would store as null");
  walk.ancestors.push(value);
  if ("toJSON" in value && typeof value.toJSON === "function") {
    inspect(walk, value.toJSON(walk.path.at(-1)?.toString() ?? ""));
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) inspectMember(walk, index, value[index]);
  } else {
    refuseOpaque(walk, value);
    for (const key of Object.keys(value)) inspectMember(walk, key, (value as Record<string, unknown>)[key]);
  }
  walk.ancestors.pop();
}

function inspectMember(walk: Walk, step: string | number, value: unknown): void {
  walk.path.push(step);
  inspect(walk, value);
  walk.path.pop();
}

/** Objects whose content is not in their properties, and what to do instead. */
const OPAQUE: ReadonlyMap<string, string> = new Map([
  ["Map", "store Object.fromEntries(map) or an array of entries"],
  ["Set", "store an array"],
  ["WeakMap", "only data can be stored"],
  ["WeakSet", "only data can be stored"],
  ["WeakRef", "only data can be stored"],
  ["Promise", "await it first"],
  ["Task", "await it first"],
  ["Generator", "store an array of what it yields"],
  ["AsyncGenerator", "store an array of what it yields"],
  ["Error", "store its message"],
  ["RegExp", "store its source"],
  ["ArrayBuffer", "store base64 text"],
  ["SharedArrayBuffer", "store base64 text"],
  ["DataView", "store base64 text"],
]);

function refuseOpaque(walk: Walk, value: object): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const remedy = OPAQUE.get(tag) ?? (ArrayBuffer.isView(value) ? "store base64 text or an array" : undefined);
  // A getter or an async toJSON of the value may have made the promise.
  quietPromise(value);
  if (remedy !== undefined) refuse(walk, `is a ${tag}, which JSON would empty; ${remedy}`);
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
