/** What the commit of a turn locks in passing: its activities, and the instance for its next turn. */

import { instanceDocumentId } from "../documents/ids.ts";
import { writtenInstance } from "../documents/instance.ts";
import { newMessageRow } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call, Service } from "../service/service.ts";
import { isOneBatch } from "../service/split.ts";
import { ActivityClaim } from "./claim-activity.ts";
import { TurnClaim } from "./claim-turn.ts";
import type { Commit } from "./commit.ts";
import type { Committed } from "./write-commit.ts";

/** Disposed of, it lets go of every fetch that has got nothing. */
export class CommitClaims implements Disposable {
  readonly #activities: ReadonlyMap<string, ActivityClaim>;
  readonly #next: TurnClaim | undefined;

  /**
   * A commit that is staged unlocks the instance last, so that nobody holds it before all is there. `isOwn`: the
   * messages of the instance that are remembered are still there, since nobody else has had it.
   */
  constructor(service: Service, memory: Memory, queues: FetchQueues, commit: Commit, isOwn: boolean) {
    const claims = commit.activities.flatMap(
      ({ row, body }) => ActivityClaim.of(service, memory, queues, row, body) ?? [],
    );
    this.#activities = new Map(claims.map((claim) => [claim.rowId, claim]));
    this.#next = isOwn && isOneBatch(commit.size) ? nextTurn(service, memory, queues, commit) : undefined;
  }

  /** The commit with the locks in it. */
  in(commit: Commit): Commit {
    return {
      ...commit,
      after: this.#next?.lock.body ?? commit.after,
      activities: commit.activities.map(({ row, body }) => ({
        row,
        body: this.#activities.get(row.id)?.body ?? body,
      })),
    };
  }

  /** The commit is stored, locks included. */
  async won(call: Call, { instanceId }: Commit, { instance, rows }: Committed): Promise<void> {
    const turn = instance === undefined ? undefined : this.#next?.won(call, instance);
    const activities = [...this.#activities.values()].map((claim) =>
      claim.won(call, instanceId, rows.get(claim.rowId)),
    );
    await Promise.all([turn, ...activities]);
  }

  [Symbol.dispose](): void {
    this.#next?.[Symbol.dispose]();
    for (const claim of this.#activities.values()) claim[Symbol.dispose]();
  }
}

/** With messages that are known to be left, and those of the turn itself. */
function nextTurn(
  service: Service,
  memory: Memory,
  queues: FetchQueues,
  commit: Commit,
): TurnClaim | undefined {
  const { instanceId, taken, messages, intents, after } = commit;
  // The next turn would begin while messages are delivered, before the caller knows that this one is committed.
  if (intents.length > 0) return undefined;
  const known = [...(memory.instances.get(instanceId)?.rows.values() ?? [])];
  const rows = [
    ...known.filter(({ id }) => !taken.has(id)),
    ...messages.map(({ row }) => newMessageRow(row)),
  ];
  if (rows.length === 0) return undefined;
  const instance = writtenInstance("ackOrchestrationItem", instanceDocumentId(instanceId), after, undefined);
  return TurnClaim.of(service, memory, queues, { instanceId, instance, rows });
}
