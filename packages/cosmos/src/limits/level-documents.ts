/**
 * The documents of the levels of keys: rules, and what is used under them (docs/decisions/limits.md). All levels of one
 * group are in one partition: one query reads them, and one batch changes both levels of a key.
 */
import { ruleKeysOf, type StoredLimit } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { limitRuleDocumentId, limitsPartition, limitUseDocumentId } from "../documents/ids.ts";
import { toRuleDocument, toUse, type Use, useBody } from "../documents/limit-documents.ts";
import type { ReadDocuments } from "../memory/last-reads.ts";
import type { Work } from "../memory/parts.ts";
import { type BatchOperation, type BatchOutcome, writtenBy } from "../service/batch.ts";

const READ = "SELECT * FROM c WHERE ARRAY_CONTAINS(@ids, c.id)";

/** The ids of the documents of levels: their use, and the rules that may be theirs. */
export function documentsOf(levels: Iterable<string>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const level of levels) {
    ids.add(limitUseDocumentId(level));
    for (const key of ruleKeysOf(level)) ids.add(limitRuleDocumentId(key));
  }
  return ids;
}

export class LevelDocuments {
  readonly read: ReadDocuments;

  constructor(read: ReadDocuments) {
    this.read = read;
  }

  /** `key`: any of the group. */
  static async read(work: Work, key: string, ids: Iterable<string>): Promise<LevelDocuments> {
    const readAtMs = work.clock.now();
    const found = await work.query<Stored>(limitsPartition(key), READ, { "@ids": [...ids] });
    const stored = new Map(found.map((document) => [document.id, document]));
    return new LevelDocuments({ readAtMs, ids: new Set(ids), stored });
  }

  /** The documents after a batch of `write`; undefined if the service did not tell their ETags. */
  after(
    operations: readonly BatchOperation[],
    outcome: Extract<BatchOutcome, { ok: true }>,
  ): ReadDocuments | undefined {
    const stored = new Map(this.read.stored);
    const writes = writtenBy(operations, outcome);
    for (const operation of operations) {
      if (!("body" in operation)) continue;
      const id = String(operation.body["id"]);
      const etag = writes.get(id)?._etag ?? "";
      if (etag === "") return undefined;
      stored.set(id, { ...operation.body, id, _etag: etag });
    }
    return { ...this.read, stored };
  }

  get(id: string): Stored | undefined {
    return this.read.stored.get(id);
  }

  ruleOf(level: string): StoredLimit | undefined {
    for (const key of ruleKeysOf(level)) {
      const stored = this.get(limitRuleDocumentId(key));
      const limit = stored && toRuleDocument(stored).limit;
      if (limit !== undefined) return limit;
    }
    return undefined;
  }

  useOf(level: string): Use {
    return toUse(this.get(limitUseDocumentId(level)));
  }

  /** Fails if the use has changed since it was read. */
  write(level: string, use: Use, nowMs: number): BatchOperation {
    const id = limitUseDocumentId(level);
    const stored = this.get(id);
    const body = useBody(level, use, nowMs);
    return stored === undefined
      ? { kind: "create", body }
      : { kind: "replace", id, body, ifMatch: stored._etag };
  }
}
