/** Checks of the values of options. Each returns the fault as text, or `undefined`; absent options have no fault. */
import { shown } from "./option-list.ts";

/** A whole number of `least` or more. */
export function wholeNumberFault(name: string, value: unknown, least: number): string | undefined {
  if (value === undefined || (Number.isInteger(value) && (value as number) >= least)) return undefined;
  return `${name} must be a whole number of ${least} or more; got ${shown(value)}`;
}

export function choiceFault(name: string, value: unknown, choices: readonly string[]): string | undefined {
  if (value === undefined || choices.includes(value as string)) return undefined;
  const quoted = choices.map((choice) => JSON.stringify(choice));
  return `${name} must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}; got ${shown(value)}`;
}

/** An object with these methods, such as a logger or a codec. */
export function methodsFault(name: string, value: unknown, methods: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" && typeof value !== "function") return expected();
  if (value === null) return expected();
  const object = value as Readonly<Record<string, unknown>>;
  const missing = methods.find((method) => typeof object[method] !== "function");
  return missing === undefined ? undefined : `${expected()} without ${missing}()`;

  function expected(): string {
    const list = methods.map((method) => `${method}()`).join(", ");
    return `${name} must be an object with ${list}; got ${shown(value)}`;
  }
}

export function functionFault(name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "function") return undefined;
  return `${name} must be a function; got ${shown(value)}`;
}

export function textFault(name: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === "string" && value !== "")) return undefined;
  return `${name} must be a string that is not empty; got ${shown(value)}`;
}
