/** Rows of the two queues: from stored documents, and to them. */
import {
  type ActivityExecute,
  decodeWorkItem,
  encodeWorkItem,
  type OrchestratorItem,
  saturatedNumber,
  type U64,
} from "@duroxide-ts/core/stores";
import type { BlockedNote } from "./blocked.ts";
import { type Body, NOTES_FIELD, type Stored } from "./body.ts";
import { dispatchSlot } from "./dispatch-slot.ts";
import { type DocumentOf, decodeDocument } from "./documents.ts";
import { withLock } from "./lean.ts";
import type { Queued, Sequence } from "./queue-order.ts";
import { isRankedAt, rankedAt, rankedBy } from "./ranked.ts";

/** An additional field, which Rust removes when it writes the row. */
export const SEQUENCE_FIELD = "sequence";

/** Also an additional field: the sender's id of the message. */
const MESSAGE_ID_FIELD = "messageId";

interface Row<Item> extends Queued {
  readonly id: string;
  readonly item: Item;
  readonly visibleAtMs: number;
  readonly attempts: number;
}

/** A message for an instance. */
export interface MessageRow extends Row<OrchestratorItem> {
  /** Its order time (docs/reference/provider-contract.md §4.1). A delay does not change it. */
  readonly orderMs: number;
  /** Set if it arrived before its start. */
  readonly postponed?: Postponed;
  /** The sender's id of the message. */
  readonly messageId?: string;
}

export interface Postponed {
  /** Its original time, ms since the epoch. */
  readonly postponedFromMs: number;
  /** How often a turn could not process it. */
  readonly misses: number;
}

/** An activity, with its document, which the lock needs. */
export interface ActivityRow extends Row<ActivityExecute> {
  readonly etag: string;
  /** The stored document, to be written back with another lock. */
  readonly document: DocumentOf<"worker_queue">;
}

/** Throws a WireError. */
export function toMessageRow(stored: Stored): MessageRow {
  const document = decodeDocument("orch_queue", stored);
  const item = decodeWorkItem(document.workItem);
  if (item.kind === "ActivityExecute") throw new TypeError("an activity is no message for an instance");
  const { postponedFrom, misses } = notesOf(stored);
  const isPostponed = postponedFrom !== undefined && misses !== undefined;
  const postponed = isPostponed ? { postponed: { postponedFromMs: postponedFrom, misses } } : {};
  const queued = queuedOf(document);
  const orderMs = item.kind === "TimerFired" ? saturatedNumber(item.fire_at_ms) : queued.enqueuedAtMs;
  const messageId = (stored as { readonly [MESSAGE_ID_FIELD]?: unknown })[MESSAGE_ID_FIELD];
  const named = typeof messageId === "string" ? { messageId } : {};
  return { ...queued, item, orderMs, ...postponed, ...named };
}

/** The additional fields of a row, which Rust removes when it writes it. */
interface RowNotes {
  readonly orchestration?: Requester;
  /** Set for a row that is hidden although it is due; a turn that begins with another row takes it too. */
  readonly postponedFrom?: number;
  readonly misses?: number;
  /** These two are set on activities only. */
  readonly blocked?: BlockedNote;
  /** How often it began to run alone; versions before this one wrote `true`. */
  readonly alone?: number | true;
}

export function notesOf(stored: object): RowNotes {
  const notes = (stored as { readonly [NOTES_FIELD]?: unknown })[NOTES_FIELD];
  return typeof notes === "object" && notes !== null ? notes : {};
}

/** Throws a WireError. */
export function toActivityRow(stored: Stored): ActivityRow {
  const document = withLock(decodeDocument("worker_queue", stored));
  const item = decodeWorkItem(document.workItem);
  if (item.kind !== "ActivityExecute") throw new TypeError(`a ${item.kind} is no activity`);
  return { ...queuedOf(document), item, etag: stored._etag, document };
}

function queuedOf(document: DocumentOf<"orch_queue" | "worker_queue">): Omit<Row<unknown>, "item"> {
  return {
    id: document.id,
    visibleAtMs: dueAtOf(document),
    enqueuedAtMs: saturatedNumber(document.enqueuedAt),
    attempts: document.attemptCount,
    ...sequenceOf(document),
    ...(document._rid !== undefined && { rid: document._rid }),
  };
}

/** A ranked row is due when it is queued, or at the end of its lock or delay. */
function dueAtOf({ visibleAt, lockedUntil, enqueuedAt }: DocumentOf<"orch_queue" | "worker_queue">): number {
  return saturatedNumber(isRankedAt(visibleAt) ? (lockedUntil ?? enqueuedAt) : visibleAt);
}

function sequenceOf(document: object): Pick<Queued, "sequence"> {
  const sequence = (document as { readonly [SEQUENCE_FIELD]?: Sequence })[SEQUENCE_FIELD];
  const isOurs = typeof sequence?.writer === "string" && typeof sequence.number === "number";
  return isOurs ? { sequence } : {};
}

export interface NewRow<Item> extends Queued {
  readonly sequence: Sequence;
  /** Set on messages only. */
  readonly messageId?: string;
  readonly id: string;
  readonly instanceId: string;
  readonly item: Item;
  readonly visibleAtMs: number;
}

/** A new row in the form in which it will be read. */
export function newMessageRow(row: NewRow<OrchestratorItem>): MessageRow {
  return toMessageRow({ ...messageBody(row), id: row.id, _etag: "" });
}

export function messageBody({ item, ...row }: NewRow<OrchestratorItem>): Body {
  const { messageId } = row;
  const named = messageId === undefined ? {} : { [MESSAGE_ID_FIELD]: messageId };
  return { ...rowBody(row, "orch_queue"), workItem: encodeWorkItem(item), ...named };
}

/** The orchestration for FetchedWork, so that fetching an activity need not read a history. */
export interface Requester {
  readonly name: string;
  readonly version: string;
}

export function activityBody(
  { item, ...row }: NewRow<ActivityExecute>,
  orchestration: Requester | undefined,
): Body {
  const ranked = rankedBy(item);
  return {
    ...rowBody(row, "worker_queue"),
    ...(ranked !== undefined && { visibleAt: rankedAt(ranked) }),
    workItem: encodeWorkItem(item),
    executionId: toNumber(item.execution_id),
    activityId: toNumber(item.id),
    sessionId: item.session_id ?? null,
    ...(item.tag !== undefined && { tag: item.tag }),
    ...(orchestration !== undefined && { [NOTES_FIELD]: { orchestration } }),
  };
}

function rowBody(row: Omit<NewRow<unknown>, "item">, type: "orch_queue" | "worker_queue"): Body {
  return {
    id: row.id,
    instanceId: row.instanceId,
    type,
    dispatchSlot: dispatchSlot(row.instanceId),
    visibleAt: row.visibleAtMs,
    enqueuedAt: row.enqueuedAtMs,
    lockToken: null,
    lockedUntil: null,
    attemptCount: 0,
    executionId: null,
    activityId: null,
    sessionId: null,
    [SEQUENCE_FIELD]: row.sequence,
  };
}

/** Only data of other programs has larger numbers. */
function toNumber(value: U64): number {
  return saturatedNumber(value);
}
