/** Outputs in lists. */
import { MOST_LISTED_BYTES } from "../contract/query-arguments.ts";
import { utf8Bytes } from "../wire/utf8.ts";

/** The entry of a list, whose output is `null` above 8,192 bytes. */
export function withoutLargeOutput<T extends { readonly output: string | null }>(entry: T): T {
  return utf8Bytes(entry.output ?? "") > MOST_LISTED_BYTES ? { ...entry, output: null } : entry;
}
