/**
 * Instances whose limits hold their code back (docs/decisions/limits.md). Each waits with a call whose row no worker takes.
 * A process that fetches turns answers the calls that may begin: it takes the permit first, and then deletes the row and
 * stores the answer in one batch. If it dies in between, another one finds the permit, and answers.
 */
import { groupOfKey, messageOf, PERMIT_TAG } from "@duroxide-ts/core/stores";
import { batchWithClaim } from "../commit/batch-with-claim.ts";
import { TurnClaim } from "../commit/claim-turn.ts";
import { newRow } from "../commit/new-row.ts";
import { endIfOver, sweepPermits } from "../commit/sweep-permits.ts";
import { rankedBy } from "../documents/ranked.ts";
import { type ActivityRow, messageBody, newMessageRow } from "../documents/rows.ts";
import { RankedSearch } from "../fetching/ranked-search.ts";
import type { Searches } from "../fetching/searches.ts";
import { grant } from "../limits/grant.ts";
import { noteSent } from "../memory/note-sent.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { ASK_FOR_PERMITS_MS, BEST_EFFORT_MS, SWEEP_PERMITS_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";

/** Calls of one group that are looked at in one request. */
const MOST = 40;

interface Sweep {
  readonly atMs: number;
  readonly continuation: string | undefined;
}

const NEVER_SWEPT: Sweep = { atMs: Number.NEGATIVE_INFINITY, continuation: undefined };

export class InstanceAdmission {
  readonly #parts: Parts;
  readonly #search: RankedSearch;
  /** The last sweep over the permits of a group, and its continuation. */
  readonly #sweeps = new Map<string, Sweep>();
  #admitting: Promise<void> | undefined;

  constructor(parts: Parts, searches: Searches) {
    this.#parts = parts;
    this.#search = new RankedSearch(parts, searches, { kind: "tags", tags: [PERMIT_TAG] }, () =>
      parts.memory.waitingForTurns.notify(),
    );
  }

  /** Whether instances wait, or it is time to look for some. */
  get isActive(): boolean {
    const { activities } = this.#parts.memory;
    return !activities.starts.isEmpty || this.#search.nextMs !== Number.POSITIVE_INFINITY;
  }

  /** Finds instances that wait, and lets those begin that may. */
  async admit(work: Work, isOnce: boolean): Promise<void> {
    this.#admitting ??= this.#admit(work, isOnce).finally(() => {
      this.#admitting = undefined;
    });
    await this.#admitting;
  }

  /** The time to look again, ms since the epoch. */
  get nextMs(): number {
    const { activities, startAsks } = this.#parts.memory;
    const asks = activities.starts.groups().map((group) => startAsks.get(group) ?? 0);
    return Math.min(this.#search.nextMs, ...asks);
  }

  async #admit(work: Work, isOnce: boolean): Promise<void> {
    const { activities, startAsks } = this.#parts.memory;
    await this.#search.look(work, isOnce);
    for (const group of activities.starts.groups()) {
      if ((startAsks.get(group) ?? 0) > work.clock.now()) continue;
      try {
        await this.#admitGroup(work.within(BEST_EFFORT_MS), group);
      } catch (error) {
        startAsks.set(group, work.clock.now() + ASK_FOR_PERMITS_MS);
        const what = `instances that wait for the limits of "${group}" are looked at again soon`;
        work.service.warn(`${what}: ${messageOf(error)}`, {});
      }
    }
  }

  async #admitGroup(work: Work, group: string): Promise<void> {
    const { activities, startAsks } = this.#parts.memory;
    const granted = await grant(work, group, this.#inOrder(group));
    if (granted.againAtMs === Number.POSITIVE_INFINITY) startAsks.delete(group);
    else startAsks.set(group, granted.againAtMs);
    for (const row of granted.rows) {
      activities.starts.served(row);
      await this.#answer(work, row);
    }
    await this.#sweep(work, group);
  }

  /** The calls of a group in the order in which they may begin. */
  #inOrder(group: string): readonly ActivityRow[] {
    const { starts } = this.#parts.memory.activities;
    return starts.inOrder(this.#parts.clock.now(), (key) => groupOfKey(key) === group, MOST);
  }

  async #answer(work: Work, { id, item, document: { instanceId } }: ActivityRow): Promise<void> {
    const { instance, execution_id, id: call } = item;
    const answer = { kind: "ActivityCompleted", instance, execution_id, id: call, result: "null" } as const;
    const row = newRow(work, instanceId, answer, { nowMs: work.clock.now() });
    const operations: BatchOperation[] = [
      { kind: "delete", id },
      { kind: "create", body: messageBody(row) },
    ];
    using claim = TurnClaim.forMessage(work, instanceId, newMessageRow(row));
    using sending = work.memory.instances.sending(instanceId);
    const { outcome, locked } = await batchWithClaim(work, instanceId, operations, claim);
    work.memory.activities.remove(id);
    if (locked !== undefined) await claim?.won(work, locked);
    else if (outcome.ok || (outcome.repeated && outcome.status === 404))
      noteSent(work, sending, newMessageRow(row), { isNew: outcome.ok });
    // It was cancelled, or another process has answered.
    else await endIfOver(work, rankedBy(item)?.key ?? "", instanceId);
  }

  /** Ends permits of instances that have ended, while others wait. */
  async #sweep(work: Work, group: string): Promise<void> {
    if (!this.#parts.memory.activities.starts.groups().includes(group)) return;
    const { atMs, continuation } = this.#sweeps.get(group) ?? NEVER_SWEPT;
    if (work.clock.now() - atMs < SWEEP_PERMITS_MS) return;
    const swept = await sweepPermits(work.within(BEST_EFFORT_MS), group, continuation);
    this.#sweeps.set(group, { atMs: work.clock.now(), continuation: swept.continuation });
    if (swept.ended > 0) this.#parts.memory.startAsks.delete(group);
  }
}
