/** Promises inside values that are refused or described, and then discarded. */
import { types } from "../host/node-types.ts";

/** The most objects and members that are visited. */
const MOST_VISITED = 100_000;

/**
 * Marks the rejections of all promises in a value as handled. A handler that lacks an `await` returns a value with a
 * promise. The value is refused with an error, and a later rejection must not end the process with the other work in it.
 * Getters are not called. Never throws.
 */
export function quietPromises(value: unknown): void {
  const seen = new Set<unknown>();
  const open: unknown[] = [value];
  while (open.length > 0 && seen.size + open.length < MOST_VISITED) {
    const each = open.pop();
    if ((typeof each !== "object" && typeof each !== "function") || each === null || seen.has(each)) continue;
    seen.add(each);
    quietPromise(each);
    addMembers(open, each);
  }
}

/** Marks a rejection of the value as handled, if the value is a promise. Never throws. */
export function quietPromise(value: unknown): void {
  if (!types.isPromise(value)) return;
  try {
    Promise.prototype.then.call(value, undefined, () => {});
  } catch {
    // A subclass of Promise whose constructor throws.
  }
}

function addMembers(open: unknown[], holder: object): void {
  try {
    for (const member of membersOf(holder)) {
      if (open.length >= MOST_VISITED) return;
      open.push(member);
    }
  } catch {
    // A proxy whose traps throw has no members.
  }
}

function* membersOf(holder: object): Generator {
  if (ArrayBuffer.isView(holder)) return;
  if (Array.isArray(holder)) {
    for (let index = 0; index < holder.length; index++) yield holder[index];
    return;
  }
  if (types.isMap(holder) || types.isSet(holder)) for (const entry of holder) yield entry;
  for (const name of Reflect.ownKeys(holder)) {
    const property = Reflect.getOwnPropertyDescriptor(holder, name);
    if (property !== undefined && "value" in property) yield property.value;
  }
}
