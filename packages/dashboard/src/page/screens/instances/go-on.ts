/** An action on many instances that ended early, because it was aborted or its server was ended, goes on. */
import type { BulkProgress, BulkRequest } from "../../shapes/instances.ts";

type Targets = Pick<BulkRequest, "ids" | "filter" | "after">;

/** Returns the targets behind the last page that was reported. Ids are worked through in their order. */
export function whatIsLeft({ ids, filter }: Targets, { succeeded, failed, after }: BulkProgress): Targets {
  return {
    ...(ids !== undefined && { ids: ids.slice(succeeded + failed) }),
    ...(filter !== undefined && { filter }),
    ...(after !== undefined && { after }),
  };
}

/** The progress of both parts, of what matched at the beginning. */
export function added(earlier: BulkProgress, next: BulkProgress): BulkProgress {
  const { total = next.total } = earlier;
  return {
    ...next,
    succeeded: earlier.succeeded + next.succeeded,
    failed: earlier.failed + next.failed,
    ...(total !== undefined && { total }),
    // Until its first page is done, it goes on where it did.
    ...(next.after === undefined && !next.done && earlier.after !== undefined && { after: earlier.after }),
  };
}
