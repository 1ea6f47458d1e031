/**
 * The locks that a commit takes for waiting fetches: of its activities, and of the instance for its next turn
 * (docs/decisions/cosmos-turns.md).
 *
 * A claim is no condition of the commit. The lock of an activity is a part of the row that the commit creates, and the
 * lock of the next turn a part of the instance document that it writes anyway, so neither can be refused by itself. What
 * a session needs beyond that may be refused, and is then left out (commit.K4).
 */
import { instanceDocumentId } from "../documents/ids.ts";
import { writtenInstance } from "../documents/instance.ts";
import { newMessageRow } from "../documents/rows.ts";
import type { Parts, Work } from "../memory/parts.ts";
import { MAX_BATCH_BYTES, MAX_OPERATIONS } from "../service/batch.ts";
import { isOneBatch } from "../service/split.ts";
import { ActivityClaim } from "./claim-activity.ts";
import { TurnClaim } from "./claim-turn.ts";
import type { Commit } from "./commit.ts";
import type { Committed } from "./write-commit.ts";

/** Disposing releases every fetch whose claim was not won. */
export class CommitClaims implements Disposable {
  readonly #activities: Map<string, ActivityClaim>;
  readonly #next: TurnClaim | undefined;

  /**
   * A staged commit unlocks the instance last, so that no process locks it before all is stored. One whose pieces come
   * before the decision locks nothing: the locks might end before the rows are stored. `isOwn`: no other process has
   * locked the instance, so its messages in memory are still stored.
   */
  constructor(parts: Parts, commit: Commit, isOwn: boolean) {
    this.#activities = new Map();
    const sessions = new Set<string>();
    // Each session is a further operation. A commit that is staged has room for all.
    const room = isOneBatch(commit.size) ? MAX_OPERATIONS - commit.size.operations : Number.POSITIVE_INFINITY;
    const rows = commit.size.bytes > MAX_BATCH_BYTES ? [] : commit.activities;
    for (const { row, body } of rows) {
      const { session_id: sessionId } = row.item;
      if (sessionId !== undefined && !sessions.has(sessionId) && sessions.size >= room) continue;
      const claim = ActivityClaim.of(parts, { row, body, sessions });
      if (claim === undefined) continue;
      this.#activities.set(claim.rowId, claim);
      if (claim.sessionId !== undefined) sessions.add(claim.sessionId);
    }
    this.#next = isOwn && isOneBatch(commit.size) ? nextTurn(parts, commit) : undefined;
  }

  /** The commit with the locks in it. Its size is that without them; the constructor has left room. */
  in(commit: Commit): Commit {
    return {
      ...commit,
      after: this.#next?.lock.body ?? commit.after,
      activities: commit.activities.map(({ row, body }) => ({
        row,
        body: this.#activities.get(row.id)?.body ?? body,
      })),
      mirrors: [...this.#activities.values()].flatMap(({ mirror }) => mirror?.operation ?? []),
    };
  }

  /**
   * The commit is stored, locks included. If another process has written the instance since, `instance` is
   * undefined, and the fetch that the next turn was claimed for is released.
   */
  async won(work: Work, { instanceId }: Commit, { instance, rows }: Committed): Promise<void> {
    const turn = instance === undefined ? undefined : this.#next?.won(work, instance);
    // Those of a session one after the other: the first one finds out whether it is Rust's.
    const groups = Map.groupBy(this.#activities.values(), ({ sessionId, rowId }) => sessionId ?? rowId);
    const activities = [...groups.values()].map(async (claims) => {
      for (const claim of claims) await claim.won(work, instanceId, rows);
    });
    await Promise.all([turn, ...activities]);
  }

  [Symbol.dispose](): void {
    this.#next?.[Symbol.dispose]();
    for (const claim of this.#activities.values()) claim[Symbol.dispose]();
  }
}

/** Adds the messages that are known to be left, and those that the turn sends to its own instance. */
function nextTurn(parts: Parts, commit: Commit): TurnClaim | undefined {
  const { instanceId, taken, cancelled, messages, intents, after } = commit;
  // Otherwise the next turn begins during the delivery of messages, before this call has resolved.
  if (intents.length > 0) return undefined;
  const known = [...(parts.memory.instances.get(instanceId)?.rows.values() ?? [])];
  const rows = [
    ...known.filter(({ id }) => !taken.has(id) && !cancelled.has(id)),
    ...messages.map(({ row }) => newMessageRow(row)),
  ];
  if (rows.length === 0) return undefined;
  const instance = writtenInstance("ackOrchestrationItem", instanceDocumentId(instanceId), after, undefined);
  return TurnClaim.of(parts, { instanceId, instance, rows });
}
