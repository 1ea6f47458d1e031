/** Definitions of other programs. */

/**
 * A definition of which this program has the type only, so that a page in a browser does not load its code. Schemas are
 * then checked by the server alone. `fields` are those that count for a call: `{ keep: true }` of an event that is kept.
 *
 * @example
 * ```ts
 * import { remote } from "@duroxide-ts/http/client";
 *
 * const order = remote<typeof checkout>("checkout"); // after: import type { checkout } from "./checkout.ts"
 * ```
 */
export function remote<Definition extends { readonly name: string }>(
  name: Definition["name"],
  fields: Partial<Definition> = {},
): Definition {
  return { ...fields, name } as Definition;
}
