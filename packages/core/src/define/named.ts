/** The subject of a call: a definition, or the name of a definition in another program. */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { shown } from "../options/option-list.ts";
import { nameFault } from "./limits.ts";
import { type StandardSchema, validateStored } from "./standard-schema.ts";

export type Named =
  | string
  | {
      readonly name: string;
      readonly kind?: string;
      readonly schema?: StandardSchema<unknown, unknown> | undefined;
      readonly result?: StandardSchema<unknown, unknown> | undefined;
      /** Present in definitions of activities. */
      readonly limit?: string | undefined;
      /** Present in definitions of events. */
      readonly keep?: boolean;
    };

/** InvalidInputError for a value without a name, such as a definition whose module is not initialised yet. */
export function nameOf(call: string, named: Named): string {
  // A function has a name too, but it is not the name of a definition.
  const name: unknown = typeof named === "object" && named !== null ? named.name : named;
  if (typeof name === "string") {
    const fault = nameFault(`${call}: the name`, name);
    if (fault !== undefined) throw new InvalidInputError(fault);
    return name;
  }
  throw new InvalidInputError(
    `${call}: the first argument must be a definition or its name; got ${shown(named)}.${advice(named)}`,
  );
}

/** The name as `nameOf` returns it, for names that must not be empty, and for definitions of one kind. */
export function calleeName(call: string, kind: string, named: Named): string {
  const name = nameOf(call, named);
  if (name === "")
    throw new InvalidInputError(`${call}: the name must not be empty; give the name of ${article(kind)}`);
  if (typeof named !== "string" && named.kind !== undefined && named.kind !== kind) {
    throw new InvalidInputError(`${call} takes ${article(kind)}; "${name}" is ${article(named.kind)}`);
  }
  return name;
}

function article(kind: string): string {
  return /^[aeo]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function advice(named: unknown): string {
  if (typeof named === "function")
    return " Pass what activity(…) or orchestration(…) returns, not its handler";
  if (named !== undefined) return "";
  return " Modules that import each other in a circle see undefined: pass the name, or move the definition to a module of its own";
}

/** The value from the store after the schema of the channel. */
export function validated(channel: Named, value: unknown): unknown {
  if (typeof channel === "string" || channel.schema === undefined) return value;
  return validateStored(channel.schema, value, `"${channel.name}"`);
}
