/** What a turn that begins without knowledge reads first: the instance and its oldest visible messages. */

import { messageOf } from "../message-of.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import { type Instance, toInstance } from "../schema/instance.ts";
import { type MessageRow, sortQueue, toMessageRow } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";

/** So many messages go into one turn at most, so that its commit fits into a batch. */
export const MAX_MESSAGES = 30;

/** Messages that came before their start are hidden for a while, and taken as soon as there is a start. */
const VISIBLE = "(c.visibleAt <= @now OR c.duroxideTs.postponedFrom <= @now)";

const BOTH = `SELECT * FROM c WHERE c.type = 'instance' OR (c.type = 'orch_queue' AND ${VISIBLE})`;

const OLDEST = `SELECT * FROM c WHERE c.type = 'orch_queue' AND ${VISIBLE} ORDER BY c.enqueuedAt`;

export interface Partition {
  readonly instance: Instance | undefined;
  /** Oldest first, so many as one turn takes. */
  readonly rows: readonly MessageRow[];
  readonly undecodable: readonly Undecodable[];
}

/** A row that nobody can make sense of. */
export interface Undecodable {
  readonly document: Stored;
  readonly reason: string;
}

export async function readPartition(store: Store, call: Call, instanceId: string): Promise<Partition> {
  const nowMs = store.clock.now();
  const parameters = [{ name: "@now", value: nowMs }];
  const limit = MAX_MESSAGES * 2;
  const { results, isAll } = await store.requests.page<Stored>(
    call,
    instanceId,
    { query: BOTH, parameters },
    limit,
  );
  const found = results.find(({ type }) => type === "instance");
  if (isAll) return toPartition(call, found, results, nowMs);
  const document = found ?? (await store.requests.read(call, instanceId, instanceDocumentId(instanceId)));
  const oldest = await store.requests.page<Stored>(call, instanceId, { query: OLDEST, parameters }, limit);
  return toPartition(call, document, oldest.results, nowMs);
}

function toPartition(
  { operation }: Call,
  instance: Stored | undefined,
  results: readonly Stored[],
  nowMs: number,
): Partition {
  const rows: MessageRow[] = [];
  const undecodable: Undecodable[] = [];
  for (const document of results) {
    if (document["type"] !== "orch_queue" || isLockedByAnother(document, nowMs)) continue;
    try {
      rows.push(toMessageRow(document));
    } catch (error) {
      undecodable.push({ document, reason: messageOf(error) });
    }
  }
  return {
    instance: instance === undefined ? undefined : toInstance(operation, instance),
    rows: sortQueue(rows).slice(0, MAX_MESSAGES),
    undecodable,
  };
}

/** Rust locks messages one by one, beside the instance. */
function isLockedByAnother({ lockToken, lockedUntil }: Stored, nowMs: number): boolean {
  return typeof lockToken === "string" && typeof lockedUntil === "number" && lockedUntil > nowMs;
}
