/**
 * The documents of limits as this process has read and written them last. A write under their ETags shows whether they
 * are still so, and saves the read before it (docs/decisions/limits.md).
 */
import type { Stored } from "../documents/body.ts";
import { ASK_FOR_PERMITS_MS, RULE_FRESH_MS } from "./waits.ts";

export interface ReadDocuments {
  /** Time of the request, ms since the epoch. */
  readonly readAtMs: number;
  /** The documents that were asked for. */
  readonly ids: ReadonlySet<string>;
  /** The existing ones, by their ids. */
  readonly stored: ReadonlyMap<string, Stored>;
}

interface LastRead {
  readonly documents: ReadDocuments;
  /** How often this process had changed rules before (Permits.changes). */
  readonly changes: number;
  /** Whether nobody else had written them since the read before. */
  readonly isAlone: boolean;
}

export class LastReads {
  readonly #byGroup = new Map<string, LastRead>();

  /** The documents, if they are probably as they were: nobody else writes them, or they were read just now. */
  likely(
    group: string,
    ids: ReadonlySet<string>,
    now: { readonly changes: number; readonly nowMs: number },
  ): ReadDocuments | undefined {
    const last = this.#byGroup.get(group);
    if (last === undefined || last.changes !== now.changes) return undefined;
    if (![...ids].every((id) => last.documents.ids.has(id))) return undefined;
    const ageMs = now.nowMs - last.documents.readAtMs;
    const longestMs = last.isAlone ? RULE_FRESH_MS / 2 : ASK_FOR_PERMITS_MS;
    return ageMs >= 0 && ageMs < longestMs ? last.documents : undefined;
  }

  wereRead(group: string, documents: ReadDocuments, changes: number): void {
    const before = this.#byGroup.get(group)?.documents;
    this.#byGroup.set(group, {
      documents,
      changes,
      isAlone: before !== undefined && isAsIn(documents, before),
    });
  }

  /** `documents`: undefined where their ETags are not known. */
  wereWritten(group: string, documents: ReadDocuments | undefined): void {
    const last = this.#byGroup.get(group);
    if (documents === undefined) this.#byGroup.delete(group);
    else if (last !== undefined) this.#byGroup.set(group, { ...last, documents });
  }

  /** Called when a write under the ETags was refused. */
  forget(group: string): void {
    this.#byGroup.delete(group);
  }
}

/** Whether nobody else has written what both have. */
function isAsIn({ stored }: ReadDocuments, before: ReadDocuments): boolean {
  return [...stored].every(([id, { _etag }]) => (before.stored.get(id)?._etag ?? _etag) === _etag);
}
