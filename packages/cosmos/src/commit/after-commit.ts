/** Updates the memory of this process after a commit. */
import { hasEnded } from "@duroxide-ts/core/stores";
import { instanceStatus } from "../documents/instance-status.ts";
import { newMessageRow, toActivityRow } from "../documents/rows.ts";
import { isCommitting } from "../leases/finish-commit.ts";
import { noteSent } from "../memory/note-sent.ts";
import type { Parts } from "../memory/parts.ts";
import type { UnconfirmedWrite } from "../memory/unconfirmed-writes.ts";
import type { Commit } from "./commit.ts";
import type { PreparedTurn } from "./prepared-turn.ts";
import type { Committed } from "./write-commit.ts";

/** Adds the rows that this process has written, so that no query has to find them. */
export function remember(
  parts: Parts,
  sending: UnconfirmedWrite,
  written: Commit,
  { instance, rows }: Committed,
): void {
  const { memory } = parts;
  const { instanceId, taken, cancelled, messages, activities } = written;
  if (instance === undefined) memory.instances.forget(instanceId, parts.clock.now());
  else memory.instances.released(instanceId, instance, [...taken, ...cancelled], parts.clock.now());
  for (const id of cancelled) memory.activities.remove(id);
  // If other processes have continued already, they may have locked them.
  for (const { row } of messages)
    noteSent(parts, sending, newMessageRow(row), { isNew: instance !== undefined });
  for (const { row, body } of activities) {
    const system = rows.get(row.id);
    // The claims add the rows that the commit locked.
    if (system !== undefined && body["lockToken"] === null)
      memory.activities.put(toActivityRow({ ...body, id: row.id, ...system }));
  }
  memory.waitingForTurns.notify();
  memory.waitingForActivities.notify();
}

/** Tells the clients of this process that wait for the instance, if the turn changes what they wait for. */
export function tellClients({ memory }: Parts, turn: PreparedTurn, { instance }: Committed): void {
  const { metadata, customStatus, changesKv } = turn;
  if (metadata.status === undefined && customStatus === undefined && !changesKv) return;
  const { instanceId } = turn.token;
  memory.watchers.notify([instanceId]);
  if (instance === undefined || isCommitting(instance) || !memory.watchers.isWatched(instanceId)) return;
  const status = instanceStatus(instance);
  if (hasEnded(status.status)) memory.watchers.ended(instanceId, status);
}
