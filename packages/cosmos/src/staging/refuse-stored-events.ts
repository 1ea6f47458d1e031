/** Once it is decided, a staged commit cannot be refused any more; so its events are looked for before. */
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Call } from "../requests/call.ts";
import type { EventRow } from "../schema/history.ts";
import type { Store } from "../store/store.ts";

const STORED = `SELECT VALUE c.eventId FROM c WHERE c.type = 'history' AND c.executionId = @execution
  AND c.eventId >= @first AND c.eventId <= @last`;

export async function refuseStoredEvents(
  store: Store,
  call: Call,
  instanceId: string,
  { events, executionId }: { readonly events: readonly EventRow[]; readonly executionId: number },
): Promise<void> {
  const ids = events.map(({ eventId }) => eventId);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw ProviderError.duplicateEvent(call.operation, executionId, repeated);
  if (ids.length === 0) return;
  const stored = await store.requests.query<number>(call, instanceId, {
    query: STORED,
    parameters: [
      { name: "@execution", value: executionId },
      { name: "@first", value: Math.min(...ids) },
      { name: "@last", value: Math.max(...ids) },
    ],
  });
  const duplicate = stored.find((id) => ids.includes(id));
  if (duplicate !== undefined) throw ProviderError.duplicateEvent(call.operation, executionId, duplicate);
}
