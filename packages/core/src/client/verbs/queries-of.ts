/** The queries of a store that has them. */
import { ProviderError } from "../../contract/provider-error.ts";
import type { ProviderQueries } from "../../contract/queries.ts";
import type { VerbTools } from "./revising.ts";

/** `unsupported` if the store has no queries; `operation` is the one that needs them. */
export function queriesOf({ admin, provider }: VerbTools, operation: string): ProviderQueries {
  if (admin.queries !== undefined) return admin.queries;
  throw new ProviderError({
    code: "unsupported",
    operation,
    message: `the store "${provider.name}" has no queries; use admin.instances and admin.info, or a store that has them`,
  });
}
