/**
 * Methods that are called without their object, as after `const { scheduleTimer } = ctx`. JavaScript would report a
 * property of `undefined`.
 */
import { InvalidInputError } from "../../errors/duroxide-error.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Lets each method of the class say what to write. `object` is its usual name, such as "ctx". */
export function refuseUnbound({ prototype }: { readonly prototype: object }, object: string): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = property.value;
    if (name === "constructor" || typeof method !== "function") continue;
    Object.defineProperty(prototype, name, { ...property, value: bound(name, method as Method, object) });
  }
}

function bound(name: string, method: Method, object: string): Method {
  return function (...args) {
    if (this === undefined) {
      throw new InvalidInputError(
        `${name} was called without its context: write ${object}.${name}(…), and do not take ${name} out of ${object}`,
      );
    }
    return Reflect.apply(method, this, args);
  };
}
