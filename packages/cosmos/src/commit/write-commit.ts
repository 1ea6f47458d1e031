/** Writes a commit: in one batch, or staged where it does not fit into one. Atomic either way, and refused whole. */
import { ProviderError } from "@duroxide-ts/core";
import type { Written } from "../documents/body.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import { type Instance, writtenInstance } from "../documents/instance.ts";
import { type Outcome, write } from "../leases/lease.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { createdBy } from "../service/batch.ts";
import type { Call } from "../service/service.ts";
import { isOneBatch } from "../service/split.ts";
import { type Commit, operationsOf } from "./commit.ts";
import { refuseStoredEvents } from "./refuse-stored-events.ts";
import { stageCommit } from "./stage-commit.ts";

/** What was written, with what the service said of the rows, where that is known. */
export interface Committed {
  /** Undefined where somebody has written it since. */
  readonly instance: Instance | undefined;
  readonly rows: ReadonlyMap<string, Written>;
}

/** `refused` where a message of the turn is gone: this process believed in it, and it was not for this turn. */
export async function writeCommit(call: Call, commit: Commit): Promise<Outcome<Committed>> {
  if (isOneBatch(commit.size)) return writeAtOnce(call, commit);
  await refuseStoredEvents(call, commit);
  return stageCommit(call, commit);
}

async function writeAtOnce(call: Call, commit: Commit): Promise<Outcome<Committed>> {
  const { instanceId, after, cancelled } = commit;
  const outcome = await write<Committed>(call, {
    partition: instanceId,
    operations: operationsOf(commit),
    stored: (answer, operations) => ({
      instance: writtenInstance(call.operation, instanceDocumentId(instanceId), after, answer.etags[0]),
      rows: createdBy(operations, answer),
    }),
    isOptional: (operation) => operation.kind === "delete" && cancelled.has(operation.id),
    storedBefore: () => committedBefore(call, commit),
  });
  if (outcome.kind !== "refused" || outcome.operation.kind === "delete") return outcome;
  const { operation, status } = outcome;
  if (operation.kind === "create" && operation.body["type"] === "history") {
    const { executionId, eventId } = operation.body;
    throw ProviderError.duplicateEvent(call.operation, Number(executionId), Number(eventId));
  }
  throw unexpected(call.operation, status);
}

/** After a lost answer the commit may be done: the instance remembers its last turns (hazard W8). */
async function committedBefore(
  call: Call,
  { instanceId, secret, after }: Commit,
): Promise<Committed | undefined> {
  const instance = await storedInstance(call, instanceId);
  if (instance?.notes.turns?.includes(secret) !== true) return undefined;
  // After a turn of somebody else, what this one wrote may be gone.
  const { lockToken } = instance.document;
  const isUntouched = lockToken === after["lockToken"] && instance.notes.turns[0] === secret;
  return { instance: isUntouched ? instance : undefined, rows: new Map() };
}

function unexpected(operation: string, status: number): ProviderError {
  const message = `the service refused a part of the commit (${status}); nothing was stored`;
  return new ProviderError({ code: "internal", operation, message });
}
