/**
 * Permits of instances, which outlive processes (docs/decisions/limits.md): a document for each, and their number in the
 * use of each level, in one batch. So a permit that is granted or ended twice counts once.
 */
import { earlyMs, levelsOf } from "@duroxide-ts/core/stores";
import { limitPermitDocumentId, limitsPartition } from "../documents/ids.ts";
import { permitBody, type Use } from "../documents/limit-documents.ts";
import { rankedBy } from "../documents/ranked.ts";
import type { ActivityRow } from "../documents/rows.ts";
import type { Work } from "../memory/parts.ts";
import { ASK_FOR_PERMITS_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { documentsOf, LevelDocuments } from "./level-documents.ts";
import { freeIn, reserved, spentUntilMs } from "./shares.ts";

/** Permits of one batch. */
const MOST = 20;

/** Conflicts with other processes in one call. */
const MOST_CONFLICTS = 5;

export interface Granted {
  readonly rows: readonly ActivityRow[];
  /** The time at which others may begin, because a slot of a rate comes, or to ask again; ms since the epoch. */
  readonly againAtMs: number;
}

/** `rows`: the calls that wait in one group, in their order. */
export async function grant(work: Work, group: string, rows: readonly ActivityRow[]): Promise<Granted> {
  for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt++) {
    const nowMs = work.clock.now();
    const granting = new Granting(await read(work, group, rows), nowMs);
    for (const row of rows) granting.tryRow(row);
    const operations = granting.operations();
    const outcome =
      operations.length === 0 ? undefined : await work.batch(limitsPartition(group), operations);
    if (outcome === undefined || outcome.ok) return granting;
    await work.again(attempt);
  }
  return { rows: [], againAtMs: work.clock.now() + ASK_FOR_PERMITS_MS };
}

function keyOf({ item }: ActivityRow): string {
  return rankedBy(item)?.key ?? "";
}

function read(work: Work, group: string, rows: readonly ActivityRow[]): Promise<LevelDocuments> {
  const permits = rows.map(({ document }) => limitPermitDocumentId(document.instanceId));
  const levels = rows.flatMap((row) => levelsOf(keyOf(row)));
  return LevelDocuments.read(work, group, [...permits, ...documentsOf(levels)]);
}

class Granting implements Granted {
  readonly rows: ActivityRow[] = [];
  againAtMs = Number.POSITIVE_INFINITY;
  readonly #documents: LevelDocuments;
  readonly #nowMs: number;
  readonly #uses = new Map<string, Use>();
  readonly #new: BatchOperation[] = [];

  constructor(documents: LevelDocuments, nowMs: number) {
    this.#documents = documents;
    this.#nowMs = nowMs;
  }

  tryRow(row: ActivityRow): void {
    const { instanceId } = row.document;
    // It was granted by a process that did not come to tell the instance.
    if (this.#documents.get(limitPermitDocumentId(instanceId)) !== undefined) {
      this.rows.push(row);
      return;
    }
    if (this.#new.length >= MOST) {
      this.againAtMs = this.#nowMs;
      return;
    }
    const key = keyOf(row);
    const opensAtMs = Math.max(...levelsOf(key).map((level) => this.#opensAtMs(level)));
    if (opensAtMs > this.#nowMs) {
      this.againAtMs = Math.min(this.againAtMs, opensAtMs);
      return;
    }
    for (const level of levelsOf(key)) this.#take(level);
    this.#new.push({ kind: "create", body: permitBody(key, instanceId, this.#nowMs) });
    this.rows.push(row);
  }

  operations(): readonly BatchOperation[] {
    const uses = [...this.#uses].map(([level, use]) => this.#documents.write(level, use, this.#nowMs));
    return this.#new.length === 0 ? [] : [...uses, ...this.#new];
  }

  #useOf(level: string): Use {
    return this.#uses.get(level) ?? this.#documents.useOf(level);
  }

  #opensAtMs(level: string): number {
    const limit = this.#documents.ruleOf(level);
    if (limit === undefined) return this.#nowMs;
    const { rule, perMs } = limit;
    const use = this.#useOf(level);
    if (rule.concurrency !== undefined && freeIn(use, rule.concurrency, this.#nowMs) <= 0)
      return this.#nowMs + ASK_FOR_PERMITS_MS;
    if (rule.rate === undefined) return this.#nowMs;
    return Math.ceil(spentUntilMs(use, limit, this.#nowMs) - earlyMs(rule, perMs));
  }

  #take(level: string): void {
    const use = this.#useOf(level);
    const limit = this.#documents.ruleOf(level);
    const spent = limit?.rule.rate === undefined ? use : reserved(use, limit, 1, this.#nowMs).use;
    this.#uses.set(level, { ...spent, instances: (use.instances ?? 0) + 1 });
  }
}
