/**
 * Tags of instances: values by which lists find them (docs/decisions/queries.md). They are no payloads: no codec writes
 * them, and they are stored as they are.
 */
import { writeJson } from "./json-text.ts";
import { type Codec, refuse } from "./values.ts";

/** The value of a tag. Values of different types are different: `2` is not `"2"`. */
export type TagValue = string | number | boolean;

/** The tags of an instance, by their keys. */
export type Tags = Readonly<Record<string, TagValue>>;

/** Changes of tags; `undefined` removes one. */
export type TagChanges = Readonly<Record<string, TagValue | undefined>>;

/** The tags of an instance that has none. */
export const NO_TAGS: Tags = Object.freeze({});

/** Tags in an event or a message. A number above 2^53 arrives as a bigint, because it is written like an id. */
export const tags: Codec<Tags> = { read: readTags, write: (value) => writeJson(readTags(value)) };

function readTags(value: unknown): Tags {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse("an object", value);
  const entries = Object.entries(value);
  if (entries.every(([, each]) => isTagValue(each))) return value as Tags;
  return Object.fromEntries(entries.map(([key, each]) => [key, tagValue(each)]));
}

function tagValue(value: unknown): TagValue {
  if (typeof value === "bigint") return Number(value);
  return isTagValue(value) ? value : refuse("a string, a number, true or false", value);
}

/** Whether it is of a type that tags have. */
export function isTagValue(value: unknown): value is TagValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Whether there are any. */
export function hasTags(all: Tags | undefined): all is Tags {
  return all !== undefined && Object.keys(all).length > 0;
}

/** Whether keys and values are the same. */
export function sameTags(a: Tags, b: Tags): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}

/** The tags after changes. JSON has no -0. */
export function changedTags(before: Tags, changes: TagChanges): Tags {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(
    all.flatMap(([key, value]) => (value === undefined ? [] : [[key, value === 0 ? 0 : value]])),
  );
}
