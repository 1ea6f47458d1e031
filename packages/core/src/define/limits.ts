/**
 * Limits that the runtime enforces, in UTF-8 bytes unless said otherwise (docs/reference/runtime-semantics.md §2.14).
 */
import { RESERVED_PREFIX } from "../wire/sent-message.ts";
import { exceedsUtf8, utf8Bytes } from "../wire/utf8.ts";

/** Size of a payload as it is stored. A document of Azure Cosmos DB has at most 2 MB, other fields included. */
export const DEFAULT_MAX_PAYLOAD_BYTES = 1_500_000;
export const MAX_CUSTOM_STATUS_BYTES = 262_144;
export const MAX_TAG_BYTES = 256;
/** Size of the key of a limit. */
export const MAX_LIMIT_KEY_BYTES = 200;
export const MAX_KV_VALUE_BYTES = 65_536;
/** Entries. */
export const MAX_KV_KEYS = 150;
/** Unread messages in the start of the next execution; the others stay in the queue. */
export const MAX_CARRIED_MESSAGES = 100;
/** Tags in one worker's filter. */
export const MAX_WORKER_TAGS = 5;
export const MAX_INSTANCE_ID_BYTES = 1_000;
/** Size of names of orchestrations, activities, events, queues, keys and versions. */
export const MAX_NAME_BYTES = 1_000;
/**
 * Size of a reason. It is stored more than once, in the event and in the output, so a long one would be refused later.
 */
export const MAX_REASON_BYTES = 4_096;

/** A payload is a text inside an event, which is a text inside a document: quotes and the like are escaped twice. */
export function storedBytes(text: string): number {
  return utf8Bytes(JSON.stringify(JSON.stringify(text)));
}

/** The fault of a name: too long, reserved, or a text that no store keeps. */
export function nameFault(what: string, name: unknown): string | undefined {
  if (typeof name === "string" && name.startsWith(RESERVED_PREFIX))
    return `${what} begins with "${RESERVED_PREFIX}", which is reserved; give another one`;
  return lengthFault(what, name, MAX_NAME_BYTES) ?? surrogateFault(what, name);
}

/** UTF-8 cannot express a lone surrogate, so a store would return another text. */
export function surrogateFault(what: string, text: unknown): string | undefined {
  if (typeof text !== "string" || text.isWellFormed()) return undefined;
  return `${what} has a lone surrogate, which is half of a character; give text.toWellFormed(), or cut texts between characters`;
}

/** The fault of a text that is longer than `most` bytes; `undefined` if it is not. */
export function lengthFault(what: string, text: unknown, most: number): string | undefined {
  if (typeof text !== "string" || !exceedsUtf8(text, most)) return undefined;
  return `${what} has ${utf8Bytes(text)} bytes, more than ${most}; give a shorter one`;
}
