/** Documents that were read, as they are written back. */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body } from "../requests/batch.ts";

const SYSTEM_FIELDS: readonly string[] = ["_etag", "_ts", "_rid", "_self", "_attachments", "_lsn"];

/** Without what the service adds. Times beyond what a number holds exactly mean "never", and still do afterwards. */
export function toBody(document: object): Body {
  const entries = Object.entries(document).filter(([name]) => !SYSTEM_FIELDS.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "bigint" ? saturatedNumber(value) : value]),
  ) as Body;
}
