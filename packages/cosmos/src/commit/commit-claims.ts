/** What the commit of a turn locks in passing: its activities, and the instance for its next turn. */

import { instanceDocumentId } from "../documents/ids.ts";
import { writtenInstance } from "../documents/instance.ts";
import { newMessageRow } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call, Service } from "../service/service.ts";
import { ActivityClaim } from "./claim-activity.ts";
import { TurnClaim } from "./claim-turn.ts";
import type { Committed } from "./commit.ts";
import type { CommitPlan } from "./plan-commit.ts";

/** Disposed of, it lets go of every fetch that has got nothing. */
export class CommitClaims implements Disposable {
  readonly #activities: ReadonlyMap<string, ActivityClaim>;
  readonly #next: TurnClaim | undefined;

  /** A commit that is staged unlocks the instance last, so that nobody holds it before all is there. */
  constructor(service: Service, memory: Memory, queues: FetchQueues, plan: CommitPlan, isStaged: boolean) {
    const claims = plan.activities.flatMap(
      ({ row, body }) => ActivityClaim.of(service, memory, queues, row, body) ?? [],
    );
    this.#activities = new Map(claims.map((claim) => [claim.rowId, claim]));
    this.#next = isStaged ? undefined : nextTurn(service, memory, queues, plan);
  }

  /** The plan with the locks in it. */
  in(plan: CommitPlan): CommitPlan {
    return {
      ...plan,
      after: this.#next?.lock.body ?? plan.after,
      activities: plan.activities.map(({ row, body }) => ({
        row,
        body: this.#activities.get(row.id)?.body ?? body,
      })),
    };
  }

  /** The plan is stored, locks included. */
  async won(call: Call, { instanceId }: CommitPlan, { instance, rows }: Committed): Promise<void> {
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
  plan: CommitPlan,
): TurnClaim | undefined {
  const { instanceId, secret, taken, messages, intents, after } = plan;
  // The next turn would begin while messages are delivered, before the caller knows that this one is committed.
  const isOwnLock = memory.heldTurns.get(secret) !== undefined;
  if (intents.length > 0 || !isOwnLock) return undefined;
  const known = [...(memory.instances.get(instanceId)?.rows.values() ?? [])];
  const rows = [...known.filter(({ id }) => !taken.has(id)), ...messages.map(newMessageRow)];
  if (rows.length === 0) return undefined;
  const instance = writtenInstance("ackOrchestrationItem", instanceDocumentId(instanceId), after, undefined);
  return TurnClaim.of(service, memory, queues, { instanceId, instance, rows });
}
