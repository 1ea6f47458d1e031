/** The code that a caller of a fetch has (docs/reference/provider-contract.md §6, 2a). */

/** A version of an orchestration, as an entry of `versions` of a fetch. */
export function programOf(name: string, version: string): string {
  return `${name}@${version}`;
}
