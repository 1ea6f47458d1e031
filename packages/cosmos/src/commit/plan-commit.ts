/** Everything that a turn writes, in the order in which it is written; the instance document always comes first. */
import { type ActivityExecute, type OrchestratorItem, saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { eventBody } from "../documents/history.ts";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import { type Intent, newIntent } from "../documents/intent.ts";
import type { Queued, Sequence } from "../documents/queue-order.ts";
import { activityBody, messageBody, type NewRow, type Requester } from "../documents/rows.ts";
import type { TurnLease } from "../memory/held.ts";
import type { BatchOperation } from "../service/batch.ts";
import type { Call, Service } from "../service/service.ts";
import { afterTurn } from "./after-turn.ts";
import { cancelOperations } from "./cancelled-activities.ts";
import { endedExecution } from "./ended-execution.ts";
import { kvChanges } from "./kv-changes.ts";
import { lateExecution } from "./late-execution.ts";
import type { PreparedAck } from "./prepared-ack.ts";

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

export async function planCommit(call: Call, held: TurnLease, turn: PreparedAck): Promise<CommitPlan> {
  const { instanceId, secret, instance } = held;
  const kv = await kvChanges(call, instance, turn);
  const nowMs = call.service.clock.now();
  const after = afterTurn(instance, turn, kv.layers, nowMs);
  const current = saturatedNumber(instance.document.currentExecutionId);
  const ended = turn.executionId > current ? await endedExecution(call, instance) : undefined;
  const requester = requesterOf(after);
  const rows = placed(call.service, turn);
  const messages = ownRows(call.service, instanceId, rows.messages);
  const activities = ownRows(call.service, instanceId, rows.activities).map((row) => ({
    row,
    body: activityBody(row, requester),
  }));
  const intents = [...rows.activities, ...rows.messages]
    .filter(({ target }) => target !== instanceId)
    .map((message, index) =>
      newIntent(call.service.random.uuid(), { source: instanceId, secret, index, ...message }),
    );
  const operations: BatchOperation[] = [
    ...held.rows.map(({ id }): BatchOperation => ({ kind: "delete", id })),
    ...turn.events.map((row) => created(eventBody(instanceId, turn.executionId, row))),
    ...messages.map((row) => created(messageBody(row))),
    ...intents.map(({ body }) => created(body)),
    ...(ended === undefined ? [] : [upserted(ended)]),
    ...(turn.executionId < current ? [await lateExecution(call, instanceId, turn)] : []),
    ...kv.operations,
    ...(await cancelOperations(call, instanceId, turn.cancelled)),
  ];
  return {
    instanceId,
    secret,
    after,
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
  { metadata, customStatus, changesKv, executionId }: PreparedAck,
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
  service: Service,
  turn: PreparedAck,
): {
  readonly activities: readonly Placed<ActivityExecute>[];
  readonly messages: readonly Placed<OrchestratorItem>[];
} {
  const nowMs = service.clock.now();
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
    sequence: service.nextSequence(),
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
  service: Service,
  instanceId: string,
  items: readonly Placed<Item>[],
): readonly NewRow<Item>[] {
  return items
    .filter(({ target }) => target === instanceId)
    .map(({ target: _, ...row }) => ({ ...row, id: service.random.uuid(), instanceId }));
}

function isCancelled(item: ActivityExecute, { cancelled }: PreparedAck): boolean {
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
