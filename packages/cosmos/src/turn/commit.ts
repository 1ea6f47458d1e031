/** Writes a plan: in one batch, or staged where it does not fit into one. Atomic either way, and refused whole. */
import { ProviderError, saturatedNumber } from "@duroxide-ts/core/stores";
import { type BatchOperation, type BatchOutcome, createdBy, type Written } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { EventRow } from "../schema/history.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { type Instance, writtenInstance } from "../schema/instance.ts";
import { without } from "../staging/finish-commit.ts";
import { refuseStoredEvents } from "../staging/refuse-stored-events.ts";
import { fitsOneBatch } from "../staging/split.ts";
import { stageCommit } from "../staging/stage-commit.ts";
import type { Store } from "../store/store.ts";
import { storedInstance } from "../store/stored-instance.ts";
import { type CommitPlan, instanceOperation, rowOperations } from "./plan-commit.ts";
import type { Turn } from "./turn.ts";

/** What was written, with what the service said of the rows, where that is known. */
export interface Committed {
  /** Undefined where somebody has written it since. */
  readonly instance: Instance | undefined;
  readonly rows: ReadonlyMap<string, Written>;
}

/**
 * `undefined` where the instance was written since the plan was made, `stale` where a message of the turn is gone: this
 * process believed in it, and it was not for this turn.
 */
export async function commitAtOnce(
  store: Store,
  call: Call,
  plan: CommitPlan,
  turn: Turn,
): Promise<Committed | "stale" | undefined> {
  let operations = rowOperations(plan);
  for (;;) {
    const all = [instanceOperation(plan), ...operations];
    const outcome = await store.requests.batch(call, plan.instanceId, all);
    if (outcome.ok) return committed(call, plan, all, outcome);
    if (outcome.index === 0) return outcome.repeated ? committedBefore(store, call, plan) : undefined;
    const refused = operations[outcome.index - 1];
    if (refused?.kind === "create" && refused.body["type"] === "history") {
      throw ProviderError.duplicateEvent(call.operation, turn.executionId, Number(refused.body["eventId"]));
    }
    if (refused?.kind !== "delete") throw unexpected(call.operation, outcome.status);
    if (plan.taken.has(refused.id)) return "stale";
    // A cancelled activity that ended meanwhile.
    operations = without(operations, outcome.index - 1);
  }
}

function committed(
  { operation }: Call,
  { after, instanceId }: CommitPlan,
  all: readonly BatchOperation[],
  outcome: Extract<BatchOutcome, { ok: true }>,
): Committed {
  const instance = writtenInstance(operation, instanceDocumentId(instanceId), after, outcome.etags[0]);
  return { instance, rows: createdBy(all, outcome) };
}

/** After a lost answer the commit may be done: the instance remembers its last turns (hazard W8). */
async function committedBefore(
  store: Store,
  call: Call,
  { instanceId, secret, after }: CommitPlan,
): Promise<Committed | undefined> {
  const instance = await storedInstance(store, call, instanceId);
  if (instance?.notes.turns?.includes(secret) !== true) return undefined;
  // After a turn of somebody else, what this one wrote may be gone.
  const { lockToken } = instance.document;
  const isUntouched = lockToken === after["lockToken"] && instance.notes.turns[0] === secret;
  return { instance: isUntouched ? instance : undefined, rows: new Map() };
}

/** Whether the plan is one batch. */
export function fitsAtOnce(plan: CommitPlan): boolean {
  return fitsOneBatch([instanceOperation(plan), ...rowOperations(plan)]);
}

/** `undefined` where the lock was lost. */
export async function commitStaged(
  store: Store,
  call: Call,
  plan: CommitPlan,
  turn: Turn,
): Promise<Committed | undefined> {
  if (!areNew(plan, turn)) await refuseStoredEvents(store, call, plan.instanceId, turn);
  const staged = await stageCommit(store, call, plan, rowOperations(plan));
  return staged.lost ? undefined : staged;
}

/** By what the instance says of its history; who else writes it drops that note. */
function areNew({ locked }: CommitPlan, { events, executionId }: Turn): boolean {
  const { lastEventId } = locked.notes;
  const isCurrent = executionId === saturatedNumber(locked.document.currentExecutionId);
  if (!isCurrent || lastEventId === undefined) return false;
  const follows = ({ eventId }: EventRow, index: number): boolean =>
    eventId > (events[index - 1]?.eventId ?? lastEventId);
  return events.every(follows);
}

function unexpected(operation: string, status: number): ProviderError {
  const message = `the service refused a part of the commit (${status}); nothing was stored`;
  return new ProviderError({ code: "internal", operation, message });
}
