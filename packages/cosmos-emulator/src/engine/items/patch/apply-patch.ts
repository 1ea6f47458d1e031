/**
 * The operations of a patch on a document, in order (docs/reference/cosmos-protocol.md §1.5). They change the
 * document that they are given, which its caller has just read for this purpose.
 */
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";
import { isJsonObject } from "../../../protocol/json-text.ts";
import { addNumbers, numberOf } from "../../../protocol/raw-number.ts";
import type { PatchOperation } from "../item-operation.ts";
import { invalidPatch, listIndex, parsePatchPath } from "./parse-patch.ts";

/** Throws 400 at the first operation that does not fit; the document is then half changed and must be thrown away. */
export function applyPatch(document: JsonObject, operations: readonly PatchOperation[]): void {
  for (const operation of operations) apply(document, operation);
}

function apply(document: JsonObject, operation: PatchOperation): void {
  const target = locate(document, operation.path);
  switch (operation.op) {
    case "add":
      add(target, copyOf(operation.value));
      break;
    case "set":
      set(target, copyOf(operation.value));
      break;
    case "replace":
      if (valueIn(target) === undefined) throw missing(target);
      set(target, copyOf(operation.value));
      break;
    case "remove":
      remove(target);
      break;
    case "incr":
      set(target, incremented(target, operation.value));
      break;
    case "move":
      move(document, operation);
      break;
  }
}

/** The object or list that holds, or would hold, the value at a path. */
type Place =
  | {
      readonly kind: "member";
      readonly of: Record<string, JsonValue>;
      readonly name: string;
      readonly path: string;
    }
  | { readonly kind: "element"; readonly of: JsonValue[]; readonly index: number; readonly path: string };

function locate(document: JsonObject, path: string): Place {
  const steps = parsePatchPath(path);
  let holder: JsonValue | undefined = document;
  for (const step of steps.slice(0, -1))
    holder = holder === undefined ? undefined : valueAtStep(holder, step);
  const last = steps.at(-1) ?? "";
  if (Array.isArray(holder)) {
    const index = listIndex(last, holder.length);
    if (index === undefined) throw invalidPatch(`${JSON.stringify(last)} in ${path} is no index of a list`);
    return { kind: "element", of: holder, index, path };
  }
  if (!isJsonObject(holder))
    throw invalidPatch(`what should hold ${path} is absent, or is no object and no list`);
  return { kind: "member", of: holder as Record<string, JsonValue>, name: last, path };
}

function valueAtStep(holder: JsonValue, step: string): JsonValue | undefined {
  if (Array.isArray(holder)) {
    const index = listIndex(step, holder.length);
    return index === undefined ? undefined : holder[index];
  }
  return isJsonObject(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
}

function valueIn(place: Place): JsonValue | undefined {
  if (place.kind === "element") return place.of[place.index];
  return Object.hasOwn(place.of, place.name) ? place.of[place.name] : undefined;
}

/** Adds a value. In a list it inserts; at the index after the last element it appends. */
function add(place: Place, value: JsonValue): void {
  if (place.kind === "member") setMember(place.of, place.name, value);
  else if (place.index > place.of.length) throw beyondEnd(place);
  else place.of.splice(place.index, 0, value);
}

/** Sets a value. In a list it overwrites; the index after the last element appends, as with `add` (assumed). */
function set(place: Place, value: JsonValue): void {
  if (place.kind === "member") setMember(place.of, place.name, value);
  else if (place.index > place.of.length) throw beyondEnd(place);
  else place.of[place.index] = value;
}

/**
 * Removes a value. An absent property is refused; an index beyond the end is not
 * (azure-cosmos-db-emulator-docker#301).
 */
function remove(place: Place): void {
  if (place.kind === "element") {
    place.of.splice(place.index, 1);
    return;
  }
  if (!Object.hasOwn(place.of, place.name)) throw missing(place);
  delete place.of[place.name];
}

function incremented(place: Place, by: JsonValue): JsonValue {
  if (numberOf(by) === undefined) throw invalidPatch(`the value of incr at ${place.path} is no number`);
  const current = valueIn(place);
  if (current === undefined) return by;
  const sum = addNumbers(current, by);
  if (sum === undefined) throw invalidPatch(`incr needs a number at ${place.path}, and a sum that is one`);
  return sum;
}

function move(document: JsonObject, { from, path }: Extract<PatchOperation, { readonly op: "move" }>): void {
  if (path === from) return;
  if (path.startsWith(`${from}/`))
    throw invalidPatch(`${path} lies inside ${from}, from where it should move`);
  const source = locate(document, from);
  const value = valueIn(source);
  if (value === undefined) throw missing(source);
  remove(source);
  // The target is looked for after the removal, which may have shifted the elements of its list.
  add(locate(document, path), value);
}

/** Sets a member. An assignment would call the setter of a property that is named `__proto__`. */
function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Copies a value, because later operations may change it and the request must stay as it is. */
function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}

function missing(place: Place): Error {
  return invalidPatch(`there is nothing at ${place.path}`);
}

function beyondEnd(place: Place): Error {
  return invalidPatch(`the index of ${place.path} lies beyond the end of the list`);
}
