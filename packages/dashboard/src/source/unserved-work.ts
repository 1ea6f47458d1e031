/**
 * Work that no process takes, one for each cause: starts that no process has the code for, which are no instances yet,
 * and activities with a tag that no process serves.
 */
import type { Blocked } from "@duroxide-ts/core";
import type { Source } from "./source.ts";

export interface Unserved {
  /** One piece of work for each cause. */
  readonly causes: readonly Blocked[];
  /** The starts that were found. */
  readonly starts: readonly Blocked[];
  /** Whether there may be more of them. */
  readonly isCut: boolean;
}

/** Work that the store has marked as blocked, and that is looked through for starts. */
const MOST_MARKED = 100;
/** Activities with such a tag. */
const MOST_TAGGED = 1_000;

/**
 * Finds work that no worker serves. Without `hasTags` no activity is looked for: the search reads up to 10,000 rows.
 */
export async function unservedWork({ admin }: Pick<Source, "admin">, hasTags: boolean): Promise<Unserved> {
  const starts = new Map<string, Blocked>();
  const byDetail = new Map<string, Blocked>();
  let [marked, tagged] = [0, 0];
  const note = (blocked: Blocked): void => {
    if (!byDetail.has(blocked.detail)) byDetail.set(blocked.detail, blocked);
  };
  // The store's own marks come first, in pages that cost more the more there are.
  for await (const blocked of admin.blocked({ unserved: hasTags, pageSize: MOST_MARKED })) {
    if (blocked.reason === "unserved-tag") {
      note(blocked);
      if (++tagged >= MOST_TAGGED) break;
    } else {
      if (blocked.reason === "missing-orchestration") {
        note(blocked);
        starts.set(blocked.instanceId, blocked);
      }
      if (++marked >= MOST_MARKED) break;
    }
  }
  const isCut = marked >= MOST_MARKED;
  if (isCut) {
    for await (const blocked of admin.blocked({ reason: "unserved-tag", unserved: hasTags })) {
      note(blocked);
      if (++tagged >= MOST_TAGGED) break;
    }
  }
  return { causes: [...byDetail.values()], starts: [...starts.values()], isCut };
}
