/**
 * Objects whose content is not in their own properties, so that JSON empties or changes them. Also those of other
 * realms, such as `node:vm`, Jest and the vmThreads of vitest, where `instanceof` fails.
 */
import { builtin } from "../host/builtin.ts";
import { types } from "../host/node-types.ts";

const EventEmitter = builtin("node:events")?.EventEmitter;

const ENTRIES = "store an array of its entries, or Object.fromEntries(it)";
const ITEMS = "store an array of its items";
const YIELDED = "store an array of what it yields";
const BODY = "store what is needed of it, such as its status and await it.json()";
const CONTENT = "store its content as text, or a reference to it";
const BASE64 = "store base64 text";
const NO_DATA = "only data can be stored";

/** Advice on what to do instead, by the tag of an object (`Symbol.toStringTag`). */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ["Map", ENTRIES],
  ["Headers", ENTRIES],
  ["FormData", ENTRIES],
  ["URLSearchParams", "store its text"],
  ["Set", ITEMS],
  ["Promise", "await it first"],
  ["Task", "await it first"],
  ["Generator", YIELDED],
  ["AsyncGenerator", YIELDED],
  ["Response", BODY],
  ["Request", BODY],
  ["Blob", CONTENT],
  ["File", CONTENT],
  ["ReadableStream", CONTENT],
  ["Error", "store its message"],
  ["DOMException", "store its message"],
  ["RegExp", "store its source"],
  ["ArrayBuffer", BASE64],
  ["SharedArrayBuffer", BASE64],
  ["DataView", `${BASE64} or an array`],
  ["Symbol", NO_DATA],
  ["BigInt", "convert it to a string or a number"],
  ["WeakMap", NO_DATA],
  ["WeakSet", NO_DATA],
  ["WeakRef", NO_DATA],
  ["Event", NO_DATA],
]);

/** Says what JSON would lose of an object, as the end of a sentence; `undefined` if nothing. May throw for a proxy. */
export function opaqueReason(value: object): string | undefined {
  if (ArrayBuffer.isView(value)) return emptied(value, `${BASE64} or an array`);
  if (hasToJson(value)) return undefined;
  if (Array.isArray(value)) return arrayReason(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (types.isArgumentsObject(value)) return emptied(value, "store Array.from(it)");
  if (isRoot(prototype)) return undefined;
  if (types.isNumberObject(value) || types.isStringObject(value) || types.isBooleanObject(value))
    return undefined;
  const remedy = remedyFor(value);
  if (remedy !== undefined) return emptied(value, remedy);
  if (Object.keys(value).length > 0) return undefined;
  return emptied(value, "it has no properties of its own; store plain data, or give its class toJSON()");
}

export function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** Whether plain objects have this prototype: none, or the Object.prototype of any realm. */
function isRoot(prototype: unknown): boolean {
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null)
  );
}

/** JSON leaves out the other properties of an array, such as those of a match of a regular expression. */
function arrayReason(value: readonly unknown[]): string | undefined {
  const own = Object.keys(value);
  const name = own.length > value.length ? own.at(-1) : undefined;
  return name === undefined
    ? undefined
    : `is an array with the property "${name}", which JSON would leave out; store Array.from(it), or an object`;
}

/** Chooses by what the object is, then by its tag, which an instance of a copy of a class has too. */
function remedyFor(value: object): string | undefined {
  if (types.isMap(value)) return ENTRIES;
  if (types.isSet(value)) return ITEMS;
  if (types.isNativeError(value) || value instanceof Error) return REMEDIES.get("Error");
  if (value instanceof Event) return NO_DATA;
  if (EventEmitter !== undefined && value instanceof EventEmitter)
    return "store plain data, or give its class toJSON()";
  return REMEDIES.get(tagOf(value));
}

function emptied(value: object, remedy: string): string {
  return `is a ${nameOf(value)}, which JSON would empty or change; ${remedy}`;
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The tag; that of an ordinary class says nothing, and its name is for the message only. */
function nameOf(value: object): string {
  const tag = tagOf(value);
  if (tag !== "Object") return tag;
  const name: unknown = Reflect.get(value, "constructor")?.name;
  return typeof name === "string" && name !== "" ? name : tag;
}
