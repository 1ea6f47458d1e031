/**
 * Commits a turn (docs/reference/provider-contract.md §7): one batch under the ETag that the lock wrote. Nobody else
 * can have acted on the instance since, and a late holder's commit fails whole (hazards W3, W4).
 */
import { type AckedOrchestration, type OrchestrationAck, ProviderError } from "@duroxide-ts/core";
import { cancelElsewhere } from "../commit/cancelled-activities.ts";
import { type Committed, commitAtOnce, commitStaged, fitsAtOnce } from "../commit/commit.ts";
import { CommitClaims } from "../commit/commit-claims.ts";
import { type CommitPlan, planCommit } from "../commit/plan-commit.ts";
import { type Turn, toTurn } from "../commit/prepared-ack.ts";
import { deliver } from "../delivering/deliver.ts";
import { toActivityRow } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { findTurnAgain, findValidTurn } from "../leases/find-held-turn.ts";
import { giveBackTurn } from "../leases/give-back-turn.ts";
import type { HeldTurn } from "../memory/held.ts";
import { sent } from "../memory/sent.ts";
import type { Store } from "../memory/store.ts";
import { messageOf } from "../message-of.ts";

const OPERATION = "ackOrchestrationItem";

/** Before the end of the lock; a commit that arrives later would be refused. */
const MARGIN_MS = 200;

/** For messages to other instances, after which the reconciler goes on. */
const DELIVERY_MS = 2_000;

export async function ackOrchestrationItem(
  store: Store,
  queues: FetchQueues,
  ack: OrchestrationAck,
): Promise<AckedOrchestration> {
  const turn = toTurn(OPERATION, ack);
  const { service, clock } = store;
  let held = await findValidTurn(store, service.call(OPERATION, 1_000), turn.token);
  const call = service.call(OPERATION, Math.max(0, held.lockedUntilMs - clock.now() - MARGIN_MS));
  for (;;) {
    const unclaimed = await planCommit(store.service, call, held, turn);
    const isStaged = !fitsAtOnce(unclaimed);
    using claims = new CommitClaims(store, queues, unclaimed, isStaged);
    const plan = claims.in(unclaimed);
    const committed = isStaged
      ? await commitStaged(store.service, call, plan, turn)
      : await commitAtOnce(store.service, call, plan, turn);
    if (committed === "stale") {
      // The next attempt will be without the message that is gone, and need not wait for the lock to end.
      await giveBackTurn(store, call, held, { visibleAtMs: undefined, ignoreAttempt: true });
      throw ProviderError.lockLost(OPERATION);
    }
    if (committed === undefined) {
      held = await findTurnAgain(store, call, turn.token);
      continue;
    }
    remember(store, held, plan, committed);
    await claims.won(call, plan, committed);
    await finish(store, queues, plan, turn);
    return { historyTag: turn.token.secret };
  }
}

/** What this process has written it need not look for. */
function remember(store: Store, held: HeldTurn, plan: CommitPlan, { instance, rows }: Committed): void {
  const { instanceId } = plan;
  // Messages that this process wrote before may be gone, where it was not here that the lock was taken.
  const isOwnLock = store.turns.get(held.secret) !== undefined;
  if (instance === undefined || !isOwnLock) store.knowledge.forget(instanceId, store.clock.now());
  store.turns.delete(held.secret);
  if (instance !== undefined)
    store.knowledge.left(
      instanceId,
      instance,
      held.rows.map(({ id }) => id),
      store.clock.now(),
    );
  // Where others went on already, they may have taken them.
  for (const row of plan.messages) sent(store, row, instance === undefined ? "before" : "now");
  for (const { row, body } of plan.activities) {
    const written = rows.get(row.id);
    // Those that were locked in passing are noted by their claims.
    if (written !== undefined && body["lockToken"] === null)
      store.ready.add(toActivityRow({ ...body, id: row.id, ...written }));
  }
  store.turnsChanged.notify();
  store.activitiesChanged.notify();
  if (plan.showsToClients) store.watchers.notify([instanceId]);
}

/** The commit is done; what follows from it is tried at once, and by the reconciler otherwise. */
async function finish(
  store: Store,
  queues: FetchQueues,
  { intents, instanceId }: CommitPlan,
  { cancelled }: Turn,
): Promise<void> {
  const call = store.service.call(OPERATION, DELIVERY_MS);
  if (intents.length > 0) await deliver(store, queues, call, intents);
  try {
    await cancelElsewhere(store.service, call, instanceId, cancelled);
  } catch (error) {
    store.service.warn(`an activity of another instance is not cancelled: ${messageOf(error)}`, {
      instanceId,
    });
  }
}
