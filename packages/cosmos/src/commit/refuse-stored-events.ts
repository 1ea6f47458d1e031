/**
 * A decided commit cannot be refused, so duplicate events are searched before the decision. No turn can add one
 * between the search and the decision, because its commit would change the ETag of the instance.
 */
import { ProviderError } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import { storedEvents } from "../leases/stored-events.ts";
import type { Work } from "../memory/parts.ts";
import type { Commit } from "./commit.ts";

export async function refuseStoredEvents(work: Work, commit: Commit): Promise<void> {
  const executionId = commit.history[0]?.executionId;
  if (executionId === undefined || areNew(commit)) return;
  const ids = commit.history.map(({ eventId }) => eventId);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw ProviderError.duplicateEvent(work.operation, executionId, repeated);
  const span = { executionId, first: Math.min(...ids), last: Math.max(...ids) };
  const stored = await storedEvents(work, commit.instanceId, span);
  const duplicate = stored.find((id) => ids.includes(id));
  if (duplicate !== undefined) throw ProviderError.duplicateEvent(work.operation, executionId, duplicate);
}

/**
 * Decides from the note of the instance about its history. A Rust process that writes the instance removes the note.
 */
function areNew({ locked: { document, notes }, history }: Commit): boolean {
  const { lastEventId } = notes;
  const current = saturatedNumber(document.currentExecutionId);
  if (lastEventId === undefined) return false;
  return history.every(
    ({ eventId, executionId }, index) =>
      executionId === current && eventId > (history[index - 1]?.eventId ?? lastEventId),
  );
}
