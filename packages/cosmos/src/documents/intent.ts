/**
 * A message for another instance, kept with its sender until it is delivered (docs/reference/wire-format.md §6). Rust
 * can deliver what we wrote and we what Rust wrote.
 */
import type { ActivityExecute, OrchestratorItem } from "@duroxide-ts/core/stores";
import type { Body, Stored } from "./body.ts";
import { intentDocumentId, isForRust } from "./ids.ts";
import { leanBody } from "./lean.ts";
import { activityBody, messageBody, type NewRow } from "./rows.ts";

/** Status of a message that is not delivered yet. Rust does not look for the second one. */
type UnsentStatus = "pending" | "unshared";

export const IS_UNSENT = "(c.type = 'outbox_intent' AND c.status IN ('pending', 'unshared'))";

export function isUnsent({ type, status }: { readonly type: string; readonly status?: string }): boolean {
  return type === "outbox_intent" && (status === "pending" || status === "unshared");
}

export interface Intent {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The row for the target, as it is created there. Its id ensures a single delivery. */
  readonly payload: Body;
  /** The document in the partition of the sender. */
  readonly body: Body;
  /** The position among the intents of its sender. */
  readonly createdAt: number;
  /** The number of failed deliveries. */
  readonly attempts: number;
  readonly lastAttemptAt: number | null;
  /** Undefined if this process has just written it. */
  readonly etag?: string;
}

/** The writer of an intent. */
export interface Sender {
  readonly source: string;
  /** The secret of the lock under which it is written. */
  readonly secret: string;
  /** The index among the intents of one commit. */
  readonly index: number;
}

/** `row` is for the target. */
export function newIntent(
  row: NewRow<OrchestratorItem | ActivityExecute>,
  { source, secret, index }: Sender,
): Intent {
  const { instanceId: target, enqueuedAtMs } = row;
  const id = intentDocumentId(source, secret, index);
  const payload = leanBody(payloadOf(row));
  const targetDocumentType = row.item.kind === "ActivityExecute" ? "worker_queue" : "orch_queue";
  const body: Body = {
    id,
    instanceId: source,
    type: "outbox_intent",
    targetInstanceId: target,
    targetDocumentType,
    payload: JSON.stringify(payload),
    idempotencyKey: `${source}:${secret}:${index}`,
    status: unsentStatus(source, target),
    createdAt: enqueuedAtMs,
    attemptCount: 0,
    lastAttemptAt: null,
  };
  return { id, source, target, payload, body, createdAt: enqueuedAtMs, attempts: 0, lastAttemptAt: null };
}

/** Rust would deliver a message that it cannot deliver, or not delete, in each of its passes. */
export function unsentStatus(source: string, target: string): UnsentStatus {
  return isForRust(source) && isForRust(target) ? "pending" : "unshared";
}

function payloadOf({ item, ...row }: NewRow<OrchestratorItem | ActivityExecute>): Body {
  return item.kind === "ActivityExecute"
    ? activityBody({ ...row, item }, undefined)
    : messageBody({ ...row, item });
}

/** The failed deliveries of an intent, which may otherwise be undecodable. */
export function attemptsOf({
  attemptCount,
  lastAttemptAt,
}: Stored): Pick<Intent, "attempts" | "lastAttemptAt"> {
  return {
    attempts: Number(attemptCount ?? 0),
    lastAttemptAt: typeof lastAttemptAt === "number" ? lastAttemptAt : null,
  };
}

/** Throws for an intent that cannot be decoded. */
export function toIntent(stored: Stored): Intent {
  const { id, instanceId, targetInstanceId, payload, createdAt } = stored;
  if (typeof instanceId !== "string" || typeof targetInstanceId !== "string" || typeof payload !== "string") {
    throw new TypeError("a field is missing");
  }
  const { _etag: etag, ...body } = stored;
  const row = JSON.parse(payload) as Body;
  return {
    id,
    source: instanceId,
    target: targetInstanceId,
    payload: row,
    body: body as Body,
    createdAt: Number(createdAt),
    ...attemptsOf(stored),
    etag,
  };
}
