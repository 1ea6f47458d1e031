/**
 * A JSON object with known fields, from a table in wire order. Unknown fields are kept and written after the known
 * ones, because a later version may need them.
 */
import { writeJson, writeString } from "./json-text.ts";
import { type Codec, refuse } from "./values.ts";
import { WireError } from "./wire-error.ts";

/** One codec for each field of `T`, in the order in which Rust writes them. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Codec<Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K]>;
};

/** A codec of an object with known fields. */
export interface StructCodec<T> extends Codec<T> {
  /** `read` also takes the positional array that serde accepts; this takes objects only. */
  readonly readObject: (value: unknown) => T;
}

interface NamedField {
  readonly name: string;
  readonly codec: Codec<unknown>;
  /** `"name":` and the same after a comma. */
  readonly first: string;
  readonly next: string;
}

type JsonObject = Record<string, unknown>;

/** The codec of an object with these fields; unknown fields are kept and written after them. */
export function struct<T extends object>(table: Fields<T>): StructCodec<T> {
  const fields = Object.entries<Codec<unknown>>(table as Record<string, Codec<unknown>>).map(
    ([name, codec]): NamedField => {
      const first = `${writeString(name)}:`;
      return { name, codec, first, next: `,${first}` };
    },
  );
  const readObject = (value: unknown): T => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return refuse("an object", value);
    return readFields(fields, value as JsonObject) as T;
  };
  return {
    readObject,
    read: (value) => readObject(Array.isArray(value) ? namePositions(fields, value) : value),
    write: (value) => writeFields(fields, value as JsonObject),
  };
}

function readFields(fields: readonly NamedField[], source: JsonObject): JsonObject {
  let result = source;
  for (const { name, codec } of fields) {
    const value = source[name];
    let canonical: unknown;
    try {
      canonical = codec.read(value);
    } catch (error) {
      throw WireError.within(name, error);
    }
    if (canonical === value) continue;
    if (result === source) result = { ...source };
    if (canonical === undefined) delete result[name];
    else result[name] = canonical;
  }
  return result;
}

function writeFields(fields: readonly NamedField[], source: JsonObject): string {
  let json = "{";
  let known = 0;
  for (const field of fields) {
    const value = source[field.name];
    if (value !== undefined) known += 1;
    try {
      const written = field.codec.write(value);
      if (written !== undefined) json += (json.length === 1 ? field.first : field.next) + written;
    } catch (error) {
      throw WireError.within(field.name, error);
    }
  }
  let present = 0;
  for (const _key in source) present += 1;
  return present === known ? `${json}}` : `${json}${writeExtras(fields, source, json.length === 1)}}`;
}

function writeExtras(fields: readonly NamedField[], source: JsonObject, alone: boolean): string {
  const extras = Object.entries(source).filter(
    ([name, value]) => value !== undefined && !fields.some((field) => field.name === name),
  );
  const json = extras.map(([name, value]) => `${writeString(name)}:${writeJson(value)}`).join(",");
  return alone || json === "" ? json : `,${json}`;
}

/** serde's array form: the values in declaration order; only fields with a default may be missing at the end. */
function namePositions(fields: readonly NamedField[], values: readonly unknown[]): JsonObject {
  const positional = fields.filter(({ codec }) => codec.presence !== "unknown-to-rust");
  const missing = positional.slice(values.length);
  if (values.length > positional.length || missing.some(({ codec }) => codec.presence !== "defaulted")) {
    return refuse(`an object, or an array of its ${positional.length} fields`, values);
  }
  return Object.fromEntries(values.map((value, index) => [positional[index]?.name ?? "", value]));
}
