/**
 * An externally tagged enum of Rust: `{"Poison": {…}}` with exactly one key, or just the name if the variant has no
 * data. Shapes: docs/reference/wire-format.md §3 and §4.
 */
import { writeString } from "./json-text.ts";
import { type Codec, refuse } from "./values.ts";
import { WireError } from "./wire-error.ts";

/** A variant without data: written as its name; `{"name": null}` is accepted too. */
export const unit: Codec<null> = {
  read: (value) => (value === null || isEmptyObject(value) ? null : refuse("null", value)),
  write: () => "null",
};

type TagOf<T> = T extends string ? T : keyof T;
type BodyOf<T, K> = T extends string ? (T extends K ? null : never) : K extends keyof T ? T[K] : never;

/** One codec for each variant of `T`. */
export type Choices<T> = { readonly [K in TagOf<T> & string]: Codec<BodyOf<T, K>> };

export function tagged<T>(table: Choices<T>): Codec<T> {
  const choices = new Map(Object.entries<Codec<unknown>>(table as Record<string, Codec<unknown>>));
  const names = [...choices.keys()];

  const read = (value: unknown): unknown => {
    if (typeof value === "string") {
      const choice = choices.get(value);
      if (choice === undefined) return refuseTag(value, names);
      return choice === unit ? value : refuse(`an object {"${value}": …}`, value);
    }
    const [tag, body] = splitTag(value, names);
    const canonical = readTagged(tag, body, choices, names);
    if (choices.get(tag) === unit) return tag;
    return canonical === body ? value : { [tag]: canonical };
  };

  const write = (value: unknown): string => {
    if (typeof value === "string") return writeString(read(value) as string);
    const [tag, body] = splitTag(value, names);
    return `{${writeString(tag)}:${writeTagged(tag, body, choices, names)}}`;
  };

  return { read: read as (value: unknown) => T, write };
}

export function readTagged<T>(
  tag: string,
  body: unknown,
  choices: ReadonlyMap<string, Codec<T>>,
  names: readonly string[],
): T {
  const choice = choices.get(tag) ?? refuseTag(tag, names);
  try {
    return choice.read(body);
  } catch (error) {
    throw WireError.within(tag, error);
  }
}

function writeTagged<T>(
  tag: string,
  body: T,
  choices: ReadonlyMap<string, Codec<T>>,
  names: readonly string[],
): string {
  const choice = choices.get(tag) ?? refuseTag(tag, names);
  try {
    return choice.write(body) ?? "null";
  } catch (error) {
    throw WireError.within(tag, error);
  }
}

/** The only key of the object and its value; rejects a second key. */
export function splitTag(value: unknown, names: readonly string[]): readonly [tag: string, body: unknown] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const keys = Object.keys(value);
    const [tag] = keys;
    if (tag !== undefined && keys.length === 1) return [tag, (value as Record<string, unknown>)[tag]];
  }
  return refuse(`an object with one key, one of ${names.join(", ")}`, value);
}

export function refuseTag(tag: string | number, names: readonly string[], path = ""): never {
  throw new WireError({
    code: "unknown-variant",
    path,
    detail: `unknown variant ${JSON.stringify(tag)}; expected one of ${names.join(", ")}`,
  });
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}
