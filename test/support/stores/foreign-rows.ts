/** Rows in the queue of a container, as another writer may have left them. */
import { expectStatus, Items, RawClient } from "@duroxide-ts/cosmos-emulator/conformance";

const NEW_ROW = {
  type: "orch_queue",
  dispatchSlot: 0,
  visibleAt: 1,
  enqueuedAt: 1,
  attemptCount: 0,
  lockToken: null,
  lockedUntil: null,
} as const;

export interface Place {
  readonly endpoint: string;
  readonly key: string;
  readonly database: string;
  readonly container: string;
}

/** One for each of the instances, with this text as its work item. */
export async function putForeignRows(
  { endpoint, key, database, container }: Place,
  instanceIds: readonly string[],
  workItem: string,
): Promise<void> {
  const raw = new RawClient(new URL(endpoint), key);
  const items = new Items(raw, `dbs/${database}/colls/${container}`);
  for (const instanceId of instanceIds) {
    expectStatus(await items.create([instanceId], { ...NEW_ROW, id: "odd", instanceId, workItem }), 201);
  }
  raw.close();
}
