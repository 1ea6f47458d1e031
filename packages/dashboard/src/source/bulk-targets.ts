/**
 * The instances of an action on many, a page at a time. A page has as many as are changed at the same time, so that an
 * action whose process was ended goes on behind the last page that it reported, and repeats no more than one.
 */
import { Refused } from "@duroxide-ts/core/web";
import type { ListFilter } from "../page/shapes/filter.ts";
import type { Source } from "./source.ts";
import { storeFilter } from "./store-filter.ts";

export type Targets =
  | { readonly ids: readonly string[] }
  | { readonly filter: ListFilter; readonly after?: string };

export interface Pages {
  readonly total?: number;
  pages(): AsyncGenerator<Page, void, undefined>;
}

export interface Page {
  readonly ids: readonly string[];
  /** Position at which to go on behind this page. */
  readonly after?: string;
}

/** The store joins changes that are written together. */
const PAGE = 16;

/** Returns the instances that match now: one that is started later is not touched. */
export async function instancesOf(source: Source, targets: Targets): Promise<Pages> {
  if ("ids" in targets) {
    const { ids } = targets;
    return {
      total: ids.length,
      async *pages() {
        for (let n = 0; n < ids.length; n += PAGE) yield { ids: ids.slice(n, n + PAGE) };
      },
    };
  }
  const { admin, clock } = source;
  const place = targets.after === undefined ? undefined : placeOf(targets.after);
  // A part that goes on means what matched when the first one began, and a continuation is for that filter only.
  const nowMs = place?.asOfMs ?? clock.now();
  const found = storeFilter(targets.filter, nowMs);
  const filter = { ...found, createdToMs: Math.min(found.createdToMs ?? nowMs + 1, nowMs + 1) };
  const { counts } = await admin.count(filter);
  return {
    total: counts[0]?.count ?? 0,
    async *pages() {
      let continuation = place?.continuation;
      do {
        const page = await admin.query({
          filter,
          order: "created-asc",
          limit: PAGE,
          ...(continuation !== undefined && { continuation }),
        });
        continuation = page.continuation;
        const ids = page.instances.map(({ instanceId }) => instanceId);
        yield { ids, ...(continuation !== undefined && { after: `${nowMs}.${continuation}` }) };
      } while (continuation !== undefined);
    },
  };
}

/** The time of the filter, and the store's continuation. */
function placeOf(after: string): { readonly asOfMs: number; readonly continuation: string } {
  const [, asOfMs, continuation] = /^(\d{1,16})\.(.+)$/s.exec(after) ?? [];
  if (asOfMs === undefined || continuation === undefined)
    throw new Refused(400, "invalid-input", '"after" is not the place of an action');
  return { asOfMs: Number(asOfMs), continuation };
}
