/** What this process knows once a commit is stored. */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Instance } from "../documents/instance.ts";
import { toActivityRow } from "../documents/rows.ts";
import type { Memory } from "../memory/memory.ts";
import { noteSent } from "../memory/note-sent.ts";
import type { Service } from "../service/service.ts";
import type { Commit } from "./commit.ts";
import type { PreparedAck } from "./prepared-ack.ts";
import type { Committed } from "./write-commit.ts";

/** What this process has written it need not look for. */
export function remember(
  service: Service,
  memory: Memory,
  written: Commit,
  { instance, rows }: Committed,
): void {
  const { instanceId, taken, messages, activities } = written;
  if (instance === undefined) memory.instances.forget(instanceId, service.clock.now());
  else memory.instances.released(instanceId, instance, [...taken], service.clock.now());
  // Where others went on already, they may have taken them.
  for (const { row } of messages) noteSent(memory, row, { certain: instance !== undefined });
  for (const { row, body } of activities) {
    const system = rows.get(row.id);
    // Those that were locked in passing are noted by their claims.
    if (system !== undefined && body["lockToken"] === null)
      memory.activities.put(toActivityRow({ ...body, id: row.id, ...system }));
  }
  memory.turns.changed.notify();
  memory.activities.changed.notify();
}

/** Whether a client that waits could see what has changed. */
export function showsToClients(
  { metadata, customStatus, changesKv, executionId }: PreparedAck,
  { document }: Instance,
): boolean {
  const isNew =
    document.orchestrationName === "" || executionId > saturatedNumber(document.currentExecutionId);
  return isNew || metadata.status !== undefined || customStatus !== undefined || changesKv;
}
