/**
 * The basic codecs of every stored format: codecs of single values, and the four ways in which a field may be absent. A
 * document is a table of these (struct.ts), a tagged enum is a table of documents (tagged.ts).
 *
 * A codec reads the same JSON as Rust's serde and returns the canonical form. If the value is canonical already, it
 * returns the same object, so that reading copies nothing. It writes canonical values as JSON text.
 */
import { MAX_U64, type U64 } from "./integer.ts";
import { writeString } from "./json-text.ts";
import { WireError } from "./wire-error.ts";

/** Converts a parsed JSON value to its canonical form, and that to JSON text. Throws WireError. */
export interface Codec<T> {
  /** `undefined` stands for a missing field, in both directions. */
  readonly read: (value: unknown) => T;
  /** `undefined`: the field is left out. */
  readonly write: (value: T) => string | undefined;
  /** The kind of the field in Rust, if it is not required: see the array form in struct.ts. */
  readonly presence?: "defaulted" | "unknown-to-rust";
}

/** A string. */
export const text: Codec<string> = {
  read: (value) => (typeof value === "string" ? value : refuse("a string", value)),
  write: (value) => (typeof value === "string" ? writeString(value) : refuse("a string", value)),
};

export const flag: Codec<boolean> = {
  read: (value) => (typeof value === "boolean" ? value : refuse("true or false", value)),
  write: (value) => (typeof value === "boolean" ? String(value) : refuse("true or false", value)),
};

/** The constant `false`. */
export const no: Codec<false> = {
  read: (value) => (value === false ? value : refuse("false", value)),
  write: () => "false",
};

const U64_RANGE = "a whole number from 0 to 2^64-1";

/** A whole number from 0 to 2^64-1. */
export const u64: Codec<U64> = {
  read: readU64,
  write: (value) => `${readU64(value)}`,
};

function readU64(value: unknown): U64 {
  if (typeof value === "number") {
    if (value >= 0 && Number.isSafeInteger(value)) return value;
  } else if (typeof value === "bigint" && value >= 0n && value <= MAX_U64) return value;
  return refuse(U64_RANGE, value);
}

export const u32: Codec<number> = integer(0, 0xffff_ffff);

/** A whole number within bounds that a JavaScript number can hold. */
export function integer(min: number, max: number): Codec<number> {
  const read = (value: unknown): number =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
      ? value
      : refuse(`a whole number from ${min} to ${max}`, value);
  return { read, write: (value) => `${read(value)}` };
}

/** Written as `null` when there is none; missing and `null` both read as none. */
export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
    read: (value) => (value === undefined || value === null ? null : codec.read(value)),
    write: (value) => (value === undefined || value === null ? "null" : codec.write(value)),
  };
}

/** Left out when there is none; missing and `null` both read as none. */
export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    read: (value) => (value === undefined || value === null ? undefined : codec.read(value)),
    write: (value) => (value === undefined || value === null ? undefined : codec.write(value)),
    presence: "defaulted",
  };
}

/** Always written; a missing field reads as the default, and `null` is rejected. */
export function defaulted<T>(codec: Codec<T>, makeDefault: () => T): Codec<T> {
  return {
    read: (value) => (value === undefined ? makeDefault() : codec.read(value)),
    write: codec.write,
    presence: "defaulted",
  };
}

/**
 * A field that Rust does not know. Rust ignores it, so another program may have written a value of another shape: such
 * a value reads as none, because it must not make the document unreadable.
 */
export function unknownToRust<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    read: (value) => {
      try {
        return value === undefined ? undefined : codec.read(value);
      } catch {
        return undefined;
      }
    },
    write: (value) => (value === undefined ? undefined : codec.write(value)),
    presence: "unknown-to-rust",
  };
}

/** A field that the storage service adds: read if present, never written. */
export function neverWritten<T>(codec: Codec<T>): Codec<T | undefined> {
  return { ...unknownToRust(codec), write: () => undefined };
}

/** The same value in every document of a kind; not checked here, because the choice of the table depends on it. */
export function constant<T extends string>(value: T): Codec<T> {
  const json = writeString(value);
  return { read: () => value, write: () => json };
}

/** A field that exists in memory only. */
export function inMemory<T extends string>(value: T): Codec<T> {
  return { read: () => value, write: () => undefined, presence: "unknown-to-rust" };
}

export function listOf<T>(codec: Codec<T>): Codec<readonly T[]> {
  const each = <R>(value: readonly unknown[], use: (item: unknown) => R): R[] =>
    value.map((item, index) => {
      try {
        return use(item);
      } catch (error) {
        throw WireError.within(`[${index}]`, error);
      }
    });
  return {
    read: (value) => (Array.isArray(value) ? each(value, codec.read) : refuse("an array", value)),
    write: (value) => `[${each(value, (item) => codec.write(item as T)).join(",")}]`,
  };
}

/** A tuple of two strings, never an object. */
export const textPair: Codec<readonly [string, string]> = {
  read: (value) => {
    if (!Array.isArray(value) || value.length !== 2) return refuse("an array of two strings", value);
    text.read(value[0]);
    text.read(value[1]);
    return value as unknown as readonly [string, string];
  },
  write: ([first, second]) => `[${text.write(first)},${text.write(second)}]`,
};

/** Throws the WireError for a value that is missing or has another type. */
export function refuse(expected: string, value: unknown, path = ""): never {
  if (value === undefined)
    throw new WireError({ code: "missing-field", path, detail: `missing; expected ${expected}` });
  throw new WireError({
    code: "invalid-value",
    path,
    detail: `expected ${expected}, found ${describe(value)}`,
  });
}

function describe(value: unknown): string {
  if (typeof value === "string") return `the string ${JSON.stringify(abbreviate(value))}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

function abbreviate(value: string): string {
  return value.length <= 40 ? value : `${value.slice(0, 40)}…`;
}
