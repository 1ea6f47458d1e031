/** Writes a plan: in one batch, or staged where it does not fit into one. Atomic either way, and refused whole. */
import { ProviderError } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Written } from "../documents/body.ts";
import type { EventRow } from "../documents/history.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { type Outcome, write } from "../leases/lease.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { createdBy } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { fitsOneBatch } from "../service/split.ts";
import { type CommitPlan, instanceOperation, rowOperations } from "./plan-commit.ts";
import type { PreparedAck } from "./prepared-ack.ts";
import { refuseStoredEvents } from "./refuse-stored-events.ts";
import { stageCommit } from "./stage-commit.ts";

/** What was written, with what the service said of the rows, where that is known. */
export interface Committed {
  /** Undefined where somebody has written it since. */
  readonly instance: Instance | undefined;
  readonly rows: ReadonlyMap<string, Written>;
}

/** `refused` where a message of the turn is gone: this process believed in it, and it was not for this turn. */
export async function commitAtOnce(
  call: Call,
  plan: CommitPlan,
  turn: PreparedAck,
): Promise<Outcome<Committed>> {
  const { instanceId, after, taken } = plan;
  const outcome = await write<Committed>(call, {
    partition: instanceId,
    operations: [instanceOperation(plan), ...rowOperations(plan)],
    stored: (answer, operations) => ({
      instance: writtenInstance(call.operation, instanceDocumentId(instanceId), after, answer.etags[0]),
      rows: createdBy(operations, answer),
    }),
    // A cancelled activity that ended meanwhile.
    isOptional: (operation) => operation.kind === "delete" && !taken.has(operation.id),
    storedBefore: () => committedBefore(call, plan),
  });
  if (outcome.kind !== "refused" || outcome.operation.kind === "delete") return outcome;
  const { operation, status } = outcome;
  if (operation.kind === "create" && operation.body["type"] === "history") {
    throw ProviderError.duplicateEvent(call.operation, turn.executionId, Number(operation.body["eventId"]));
  }
  throw unexpected(call.operation, status);
}

/** After a lost answer the commit may be done: the instance remembers its last turns (hazard W8). */
async function committedBefore(
  call: Call,
  { instanceId, secret, after }: CommitPlan,
): Promise<Committed | undefined> {
  const instance = await storedInstance(call, instanceId);
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

export async function commitStaged(
  call: Call,
  plan: CommitPlan,
  turn: PreparedAck,
): Promise<Outcome<Committed>> {
  if (!areNew(plan, turn)) await refuseStoredEvents(call, plan.instanceId, turn);
  return stageCommit(call, plan, rowOperations(plan));
}

/** By what the instance says of its history; who else writes it drops that note. */
function areNew({ locked }: CommitPlan, { events, executionId }: PreparedAck): boolean {
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
