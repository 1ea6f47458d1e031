/** Everything that a turn writes, in the order in which it is written; the instance document always comes first. */
import { type ActivityExecute, type OrchestratorItem, saturatedNumber } from "@duroxide-ts/core/stores";
import { type Intent, newIntent } from "../outbox/intent.ts";
import type { BatchOperation, Body } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import { eventBody } from "../schema/history.ts";
import { instanceDocumentId } from "../schema/ids.ts";
import type { Instance } from "../schema/instance.ts";
import type { Queued, Sequence } from "../schema/queue-order.ts";
import { activityBody, messageBody, type NewRow, type Requester } from "../schema/rows.ts";
import type { Store } from "../store/store.ts";
import { afterTurn } from "./after-turn.ts";
import { cancelOperations } from "./cancelled-activities.ts";
import type { HeldTurn } from "./held-turn.ts";
import { kvChanges } from "./kv-changes.ts";
import { lateExecution } from "./late-execution.ts";
import type { Turn } from "./turn.ts";

export interface CommitPlan {
  readonly instanceId: string;
  readonly secret: string;
  /** The instance document after the turn. */
  readonly after: Body;
  /** As the lock wrote it: the commit's condition. */
  readonly locked: Instance;
  /** All but the instance document and the activities. */
  readonly operations: readonly BatchOperation[];
  /** The messages of the turn. */
  readonly taken: ReadonlySet<string>;
  /** What was written for this instance, and is now known here. */
  readonly messages: readonly NewRow<OrchestratorItem>[];
  readonly activities: readonly PlannedActivity[];
  readonly intents: readonly Intent[];
  /** Whether a client that waits could see what has changed. */
  readonly showsToClients: boolean;
}

export interface PlannedActivity {
  readonly row: NewRow<ActivityExecute>;
  readonly body: Body;
}

export async function planCommit(store: Store, call: Call, held: HeldTurn, turn: Turn): Promise<CommitPlan> {
  const { instanceId, secret, instance } = held;
  const kv = await kvChanges(store, call, instance, turn);
  const nowMs = store.clock.now();
  const after = afterTurn(instance, turn, kv.layers, nowMs);
  const requester = requesterOf(after.body);
  const rows = placed(store, turn);
  const messages = ownRows(store, instanceId, rows.messages);
  const activities = ownRows(store, instanceId, rows.activities).map((row) => ({
    row,
    body: activityBody(row, requester),
  }));
  const intents = [...rows.activities, ...rows.messages]
    .filter(({ target }) => target !== instanceId)
    .map((message, index) => newIntent(store, { source: instanceId, secret, index, ...message }));
  const isLate = turn.executionId < saturatedNumber(instance.document.currentExecutionId);
  const operations: BatchOperation[] = [
    ...held.rows.map(({ id }): BatchOperation => ({ kind: "delete", id })),
    ...turn.events.map((row) => created(eventBody(instanceId, turn.executionId, row))),
    ...messages.map((row) => created(messageBody(row))),
    ...intents.map(({ body }) => created(body)),
    ...(after.endedExecution === undefined ? [] : [upserted(after.endedExecution)]),
    ...(isLate ? [await lateExecution(store, call, instanceId, turn)] : []),
    ...kv.operations,
    ...(await cancelOperations(store, call, instanceId, turn.cancelled)),
  ];
  return {
    instanceId,
    secret,
    after: after.body,
    locked: instance,
    operations,
    taken: new Set(held.rows.map(({ id }) => id)),
    messages,
    activities,
    intents,
    showsToClients: showsToClients(turn, instance),
  };
}

function showsToClients(
  { metadata, customStatus, changesKv, executionId }: Turn,
  { document }: Instance,
): boolean {
  const isNew =
    document.orchestrationName === "" || executionId > saturatedNumber(document.currentExecutionId);
  return isNew || metadata.status !== undefined || customStatus !== undefined || changesKv;
}

/** All but the instance document. */
export function rowOperations({ operations, activities }: CommitPlan): readonly BatchOperation[] {
  return [...operations, ...activities.map(({ body }) => created(body))];
}

export function instanceOperation({ instanceId, after, locked }: CommitPlan): BatchOperation {
  return { kind: "replace", id: instanceDocumentId(instanceId), body: after, ifMatch: locked.etag };
}

/** A message or activity with its place in the queue. */
interface Placed<Item> extends Queued {
  readonly sequence: Sequence;
  readonly target: string;
  readonly item: Item;
  readonly visibleAtMs: number;
}

/** Activities that the turn itself gives up are never written. */
function placed(
  store: Store,
  turn: Turn,
): {
  readonly activities: readonly Placed<ActivityExecute>[];
  readonly messages: readonly Placed<OrchestratorItem>[];
} {
  const nowMs = store.clock.now();
  const place = <Item>(
    target: string,
    item: Item,
    visibleAtMs = nowMs,
    enqueuedAtMs = nowMs,
  ): Placed<Item> => ({
    target,
    item,
    visibleAtMs,
    enqueuedAtMs,
    sequence: store.nextSequence(),
  });
  return {
    activities: turn.activities
      .filter((item) => !isCancelled(item, turn))
      .map((item) => place(item.instance.toWellFormed(), item)),
    messages: turn.messages.map(({ instanceId, item, visibleAtMs, enqueuedAtMs }) =>
      place(instanceId, item, visibleAtMs, enqueuedAtMs),
    ),
  };
}

function ownRows<Item>(
  store: Store,
  instanceId: string,
  items: readonly Placed<Item>[],
): readonly NewRow<Item>[] {
  return items
    .filter(({ target }) => target === instanceId)
    .map(({ target: _, ...row }) => ({ ...row, id: store.random.uuid(), instanceId }));
}

function isCancelled(item: ActivityExecute, { cancelled }: Turn): boolean {
  return cancelled.some(
    ({ instanceId, executionId, activityId }) =>
      instanceId === item.instance && executionId === item.execution_id && activityId === item.id,
  );
}

function requesterOf(after: Body): Requester | undefined {
  const { orchestrationName: name, orchestrationVersion: version } = after;
  if (typeof name !== "string" || typeof version !== "string" || name === "") return undefined;
  return { name, version };
}

function created(body: Body): BatchOperation {
  return { kind: "create", body };
}

function upserted(body: Body): BatchOperation {
  return { kind: "upsert", body };
}
