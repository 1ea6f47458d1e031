/** Documents as they are sent and as they were read. */
import { saturatedNumber } from "@duroxide-ts/core/stores";

/** A document as it is sent; what JSON leaves out, it leaves out. */
export type Body = Readonly<Record<string, unknown>>;

/** A document as it was stored, system fields included. */
export type Stored = Readonly<Record<string, unknown>> & { readonly id: string; readonly _etag: string };

/** What the service adds to a document that it stores. */
export interface Written {
  readonly _etag: string;
  readonly _rid?: string;
}

/** The field of instances and rows for what only this provider knows. Rust ignores it, and drops it when it writes. */
export const NOTES_FIELD = "duroxideTs";

const SYSTEM_FIELDS: readonly string[] = ["_etag", "_ts", "_rid", "_self", "_attachments", "_lsn"];

/** Without what the service adds. Times beyond what a number holds exactly mean "never", and still do afterwards. */
export function toBody(document: object): Body {
  const entries = Object.entries(document).filter(([name]) => !SYSTEM_FIELDS.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "bigint" ? saturatedNumber(value) : value]),
  ) as Body;
}
