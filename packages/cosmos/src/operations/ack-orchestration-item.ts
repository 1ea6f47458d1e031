/**
 * Commits a turn (docs/reference/provider-contract.md §7): one batch under the ETag that the lock wrote. Nobody else
 * can have acted on the instance since, and a late holder's commit fails whole (hazards W3, W4).
 */
import { type AckedOrchestration, type OrchestrationAck, ProviderError } from "@duroxide-ts/core/stores";
import { CommitClaims } from "../claims/commit-claims.ts";
import { messageOf } from "../message-of.ts";
import { deliver } from "../outbox/deliver.ts";
import { toActivityRow } from "../schema/rows.ts";
import { sent } from "../store/sent.ts";
import type { Store } from "../store/store.ts";
import { cancelElsewhere } from "../turn/cancelled-activities.ts";
import { type Committed, commitAtOnce, commitStaged, fitsAtOnce } from "../turn/commit.ts";
import { findTurnAgain, findValidTurn } from "../turn/find-held-turn.ts";
import { giveBackTurn } from "../turn/give-back.ts";
import type { HeldTurn } from "../turn/held-turn.ts";
import { type CommitPlan, planCommit } from "../turn/plan-commit.ts";
import { type Turn, toTurn } from "../turn/turn.ts";

const OPERATION = "ackOrchestrationItem";

/** Before the end of the lock; a commit that arrives later would be refused. */
const MARGIN_MS = 200;

/** For messages to other instances, after which the reconciler goes on. */
const DELIVERY_MS = 2_000;

export async function ackOrchestrationItem(store: Store, ack: OrchestrationAck): Promise<AckedOrchestration> {
  const turn = toTurn(OPERATION, ack);
  const { requests, clock } = store;
  let held = await findValidTurn(store, requests.call(OPERATION, 1_000), turn.token);
  const call = requests.call(OPERATION, Math.max(0, held.lockedUntilMs - clock.now() - MARGIN_MS));
  for (;;) {
    const unclaimed = await planCommit(store, call, held, turn);
    const isStaged = !fitsAtOnce(unclaimed);
    using claims = new CommitClaims(store, unclaimed, isStaged);
    const plan = claims.in(unclaimed);
    const committed = isStaged
      ? await commitStaged(store, call, plan, turn)
      : await commitAtOnce(store, call, plan, turn);
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
    await finish(store, plan, turn);
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
  store.turnsWanted.notify();
  store.activitiesWanted.notify();
  if (plan.showsToClients) store.watchers.notify([instanceId]);
}

/** The commit is done; what follows from it is tried at once, and by the reconciler otherwise. */
async function finish(store: Store, { intents, instanceId }: CommitPlan, { cancelled }: Turn): Promise<void> {
  const call = store.requests.call(OPERATION, DELIVERY_MS);
  if (intents.length > 0) await deliver(store, call, intents);
  try {
    await cancelElsewhere(store, call, instanceId, cancelled);
  } catch (error) {
    store.settings.onWarning(`an activity of another instance is not cancelled: ${messageOf(error)}`, {
      instanceId,
    });
  }
}
