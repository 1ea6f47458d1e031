/**
 * The part of Standard Schema (version 1) that is used here: any validator that implements it — zod, valibot,
 * arktype — can describe inputs and payloads.
 */

import { InvalidInputError } from "../errors/duroxide-error.ts";
import { quietPromises } from "../errors/quiet-promises.ts";
import { types } from "../host/node-types.ts";

/** A validator of the Standard Schema interface. Must be synchronous, and deterministic in orchestrations. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** The value, possibly transformed, or what is wrong with it. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The validated (and possibly transformed) value; `InvalidInputError` names `subject` and every issue. */
export function validate<T>(schema: StandardSchema<unknown, T>, value: unknown, subject: string): T {
  const result = judge(schema, value, subject);
  if (result.issues === undefined) return result.value;
  throw new InvalidInputError(`${subject} is not valid: ${describeIssues(result.issues)}`, {
    issues: result.issues.map(({ message, path = [] }) => ({ message, path: path.map(keyOf) })),
  });
}

/** Validates as `validate` does, for values from the store, where `undefined` is stored as null. */
export function validateStored<T>(schema: StandardSchema<unknown, T>, value: unknown, subject: string): T {
  return validate(schema, fromStore(schema, value), subject);
}

/** Returns what the schema says of a value from the store. Throws for a schema that throws, or is asynchronous. */
export function judgeStored<T>(
  schema: StandardSchema<unknown, T>,
  value: unknown,
  subject: string,
): SchemaResult<T> {
  return judge(schema, fromStore(schema, value), subject);
}

function fromStore(schema: StandardSchema, value: unknown): unknown {
  return value !== null || accepts(schema, null) || !accepts(schema, undefined) ? value : undefined;
}

function judge<T>(schema: StandardSchema<unknown, T>, value: unknown, subject: string): SchemaResult<T> {
  const result = call(schema, value);
  if (!types.isPromise(result)) return result;
  throw new InvalidInputError(
    `${subject}: its schema validates asynchronously, which replay cannot do; use a synchronous one`,
  );
}

function accepts(schema: StandardSchema, value: unknown): boolean {
  const result = call(schema, value);
  return !types.isPromise(result) && result.issues === undefined;
}

/** A refusal is described or caught, then discarded, and so are the promises in it. */
function call<T>(
  schema: StandardSchema<unknown, T>,
  value: unknown,
): SchemaResult<T> | Promise<SchemaResult<T>> {
  try {
    const result = schema["~standard"].validate(value);
    if (types.isPromise(result) || result.issues !== undefined) quietPromises(result);
    return result;
  } catch (error) {
    quietPromises(error);
    throw error;
  }
}

/** One line with all issues and their paths. */
export function describeIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(describeIssue).join("; ");
}

function describeIssue({ message, path }: SchemaIssue): string {
  if (path === undefined || path.length === 0) return message;
  return `${path.map(keyOf).join(".")}: ${message}`;
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof part === "object" ? part.key : part;
  return typeof key === "number" ? key : String(key);
}
