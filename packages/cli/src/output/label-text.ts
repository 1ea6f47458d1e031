/** The label of a call, behind its name. */
export function labelText({ label }: { readonly label?: string }): string {
  return label === undefined ? "" : ` [${label}]`;
}
