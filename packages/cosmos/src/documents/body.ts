/** Documents as sent to the service and as read from it. */
import { saturatedNumber } from "@duroxide-ts/core/stores";

/** A document as it is sent, by the rules of JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** A document as it was stored, system fields included. */
export type Stored = Readonly<Record<string, unknown>> & { readonly id: string; readonly _etag: string };

/** The fields that the service adds to a stored document. */
export interface Written {
  readonly _etag: string;
  readonly _rid?: string;
}

/** The field of instances and rows for notes of this provider. Rust ignores it, and removes it when it writes. */
export const NOTES_FIELD = "duroxideTs";

const SYSTEM_FIELDS: readonly string[] = ["_etag", "_ts", "_rid", "_self", "_attachments", "_lsn"];

/** The document without system fields. Times above the largest exact integer mean "never", also after a round trip. */
export function toBody(document: object): Body {
  const entries = Object.entries(document).filter(([name]) => !SYSTEM_FIELDS.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "bigint" ? saturatedNumber(value) : value]),
  ) as Body;
}
