/** Limits of tags, and the faults of tags that are set. Sizes are UTF-8 bytes. */
import { shown } from "../options/option-list.ts";
import { RESERVED_PREFIX } from "../wire/sent-message.ts";
import { isTagValue, type Tags } from "../wire/tags.ts";
import { exceedsUtf8, utf8Bytes } from "../wire/utf8.ts";

/** Tags of an instance, and conditions of a filter. */
export const MAX_TAGS = 16;
const MAX_KEY_BYTES = 64;
const MAX_VALUE_BYTES = 256;

/** A fault, and whether a limit is exceeded. */
export interface TagFault {
  readonly message: string;
  readonly isLimit?: true;
}

/** The fault of changes that no instance may have. */
export function changesFault(changes: unknown): TagFault | undefined {
  const own = ownEntries(changes);
  if (own === undefined) {
    return { message: `tags must be a plain object such as { tenant: "acme" }; got ${shown(changes)}` };
  }
  for (const [key, value] of own) {
    const fault =
      reservedFault(key) ?? keyFault(key) ?? (value === undefined ? undefined : valueFault(key, value));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function reservedFault(key: string): TagFault | undefined {
  if (!key.startsWith(RESERVED_PREFIX)) return undefined;
  return {
    message: `the key of a tag begins with "${RESERVED_PREFIX}", which is reserved; give another one`,
  };
}

/** The fault of more tags than an instance may have. */
export function countFault(all: Tags): TagFault | undefined {
  const count = Object.keys(all).length;
  if (count <= MAX_TAGS) return undefined;
  const message = `the instance would have ${count} tags, and at most ${MAX_TAGS} are allowed; remove one with ctx.setTags({ key: undefined }), or keep what no list looks for in ctx.kv`;
  return { message, isLimit: true };
}

/** The own properties of a plain object: a list, a map or a promise that was not awaited has no tags. */
export function ownEntries(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain ? Object.entries(value) : undefined;
}

export function keyFault(key: string): TagFault | undefined {
  if (key === "") return { message: "the key of a tag is empty; name what its value is, such as tenant" };
  if (!key.isWellFormed())
    return { message: "the key of a tag has a lone surrogate, which is half of a character" };
  if (!exceedsUtf8(key, MAX_KEY_BYTES)) return undefined;
  return limit(`the key of tag ${shown(key)} has ${utf8Bytes(key)} bytes, more than ${MAX_KEY_BYTES}`);
}

export function valueFault(key: string, value: unknown): TagFault | undefined {
  if (isTagValue(value)) return typeof value === "string" ? textFault(key, value) : numberFault(key, value);
  const how = value === null ? "; undefined removes a tag" : "";
  return {
    message: `tag ${shown(key)} is ${kindOf(value)}; it must be a string, a number, true or false${how}`,
  };
}

function textFault(key: string, value: string): TagFault | undefined {
  if (!value.isWellFormed())
    return {
      message: `tag ${shown(key)} has a lone surrogate, which is half of a character; cut texts between characters`,
    };
  if (!exceedsUtf8(value, MAX_VALUE_BYTES)) return undefined;
  return limit(`tag ${shown(key)} has ${utf8Bytes(value)} bytes, more than ${MAX_VALUE_BYTES}`);
}

function numberFault(key: string, value: number | boolean): TagFault | undefined {
  if (typeof value === "boolean" || Number.isFinite(value)) return undefined;
  return { message: `tag ${shown(key)} is ${value}; a number must be finite` };
}

function limit(message: string): TagFault {
  return { message: `${message}; keep it short, and the whole in ctx.kv or the input`, isLimit: true };
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `of type ${typeof value}`;
}
