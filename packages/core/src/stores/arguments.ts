/** Rejects arguments that the contract forbids, before anything is queued or stored. */
import { createHash } from "node:crypto";
import { checkCount, checkTexts, describe, requireObject } from "../contract/argument-checks.ts";
import type { ProgressReport } from "../contract/progress.ts";
import type { EnqueueOptions, FusedAck, StartInstanceOptions, TagFilter } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { InstanceRevision } from "../contract/revision.ts";
import type { StreamAppend, StreamChange, StreamRead } from "../contract/streams.ts";
import { MAX_WORKER_TAGS } from "../define/limits.ts";
import type { U64 } from "../wire/integer.ts";
import { STEP_TAG } from "../wire/known-code.ts";
import { type OrchestratorItem, targetInstance, type WorkItem, type WorkItemOf } from "../wire/work-item.ts";

/** The error `invalid-input` for a forbidden argument. The message says what is allowed. */
export function invalidInput(operation: string, message: string, cause?: unknown): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message, cause });
}

/** A duration of the caller in whole milliseconds; fractions are cut off. Throws `invalid-input` otherwise. */
export function toDurationMs(operation: string, name: string, value: number): number {
  const ms = Math.trunc(value);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw invalidInput(operation, `${name} is ${value}; it must be a number of milliseconds, 0 or more`);
}

/** An id of an execution or event, which count from 1. Throws `invalid-input` otherwise. */
export function toPositiveId(operation: string, name: string, value: U64): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidInput(operation, `${name} is ${value}; it must be a whole number from 1 to 2^53 - 1`);
}

/** The id of an instance as the caller gave it. `invalid-input` unless it is a text; an unknown id is no fault. */
export function toInstanceId(operation: string, instanceId: string): string {
  if (typeof instanceId === "string") return instanceId;
  throw invalidInput(
    operation,
    `instanceId is ${describe(instanceId)}; pass the id of an instance as a text`,
  );
}

/** The same of a list. */
export function toInstanceIds(operation: string, instanceIds: readonly string[]): readonly string[] {
  // A caller in JavaScript may pass anything.
  const given: unknown = instanceIds;
  if (Array.isArray(given)) return instanceIds.map((id) => toInstanceId(operation, id));
  throw invalidInput(operation, `instanceIds is ${describe(given)}; pass a list of ids of instances`);
}

/** `invalid-input` unless it is a work item whose instance is a text. */
export function checkItem(operation: string, item: WorkItem): void {
  requireObject(operation, "the work item", item);
  toInstanceId(operation, targetInstance(item));
}

/** `invalid-input` unless it is a text; an unknown key is no fault. */
export function checkKey(operation: string, key: string): void {
  if (typeof key === "string") return;
  throw invalidInput(operation, `the key is ${describe(key)}; pass the name of a key as a text`);
}

/** `invalid-input` unless it names an instance, a stream, its values and who has written them. */
export function checkAppend(operation: string, append: StreamAppend): void {
  requireObject(operation, "append", append);
  requireObject(operation, "append.writer", append.writer);
  toInstanceId(operation, append.instanceId);
  checkLockToken(operation, append.writer.lockToken);
  toPositiveId(operation, "writer.leastAttempt", append.writer.leastAttempt);
  toDurationMs(operation, "writer.written", append.writer.written);
  checkStreamChange(operation, append);
}

/** `invalid-input` unless it names an instance, and has a text of an activity. */
export function checkProgress(operation: string, report: ProgressReport): void {
  requireObject(operation, "report", report);
  requireObject(operation, "report.writer", report.writer);
  toInstanceId(operation, report.instanceId);
  toPositiveId(operation, "executionId", report.executionId);
  checkKey(operation, report.value);
  checkLockToken(operation, report.writer.lockToken);
  toPositiveId(operation, "writer.leastAttempt", report.writer.leastAttempt);
}

/** `invalid-input` unless it names a stream with its bounds, and its values are texts. */
export function checkStreamChange(operation: string, { stream, values, bounds }: StreamChange): void {
  checkKey(operation, stream);
  requireObject(operation, "values", values);
  checkTexts(operation, "values", values);
  requireObject(operation, "bounds", bounds);
  toPositiveId(operation, "bounds.maxItems", bounds.maxItems);
  toPositiveId(operation, "bounds.maxBytes", bounds.maxBytes);
}

/** `invalid-input` unless it names an instance, a stream and an offset. */
export function checkStreamRead(operation: string, read: StreamRead): void {
  requireObject(operation, "read", read);
  toInstanceId(operation, read.instanceId);
  checkKey(operation, read.stream);
  checkCount(operation, "from", read.from, 0);
}

/** `invalid-input` unless it is a string; the store checks whether it is the token of a lock. */
export function checkLockToken(operation: string, token: string): void {
  if (typeof token === "string") return;
  throw invalidInput(operation, `the lock token is no text but ${typeof token}; pass that of the fetch`);
}

/** `invalid-input` unless it names an instance, and one or more activities by their tokens. */
export function checkFusedAck(operation: string, ack: FusedAck): void {
  requireObject(operation, "ack", ack);
  const { instanceId, activityTokens } = ack;
  toInstanceId(operation, instanceId);
  // A caller in JavaScript may pass anything.
  const tokens: unknown = activityTokens;
  if (!Array.isArray(tokens) || tokens.length === 0) {
    throw invalidInput(operation, "activityTokens must be a list with the token of one activity at least");
  }
  for (const token of activityTokens) checkLockToken(operation, token);
  if (tokens.length > 1 && new Set(tokens).size < tokens.length) {
    throw invalidInput(operation, "activityTokens has a token twice; name each activity once");
  }
}

/** `invalid-input` unless it names an instance and changes something; key-values only with the events of a turn. */
export function checkRevision(operation: string, revision: InstanceRevision): void {
  requireObject(operation, "revision", revision);
  const { instanceId, expected, turn, keyValues, suspended } = revision;
  toInstanceId(operation, instanceId);
  if (expected !== "absent") toPositiveId(operation, "expected.executionId", expected.executionId);
  else if (turn === undefined) throw invalidInput(operation, "an instance begins with a turn; pass it");
  if (turn === undefined && suspended === undefined) {
    throw invalidInput(operation, "there is nothing to change; pass a turn or suspended");
  }
  if (keyValues !== undefined && turn === undefined) {
    throw invalidInput(operation, "keyValues are for an execution that begins; pass its turn");
  }
}

/** `invalid-input` unless it is a filter; a list of tags has one to five entries. */
export function checkTagFilter(operation: string, filter: TagFilter): void {
  // A caller in JavaScript may pass anything.
  const given: { readonly kind?: unknown; readonly tags?: unknown } | null | undefined = filter;
  const kind = given?.kind;
  if (kind === "default-only" || kind === "any" || kind === "none") return;
  if (kind !== "tags" && kind !== "default-and") {
    const kinds = "default-only, tags, default-and, any, none";
    throw invalidInput(operation, `tagFilter.kind is ${String(kind)}; it must be one of ${kinds}`);
  }
  const { tags } = filter as { readonly tags?: unknown };
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) {
    throw invalidInput(operation, "tagFilter.tags is no list of texts; name the tags");
  }
  const count = tags.filter((tag) => tag !== STEP_TAG).length;
  if (tags.length >= 1 && count <= MAX_WORKER_TAGS) return;
  throw invalidInput(operation, `a tag filter has 1 to ${MAX_WORKER_TAGS} tags, not ${count}`);
}

/** `ms` after a time, at most the largest exact integer. */
export function later(nowMs: number, ms: number): number {
  return Math.min(nowMs + ms, Number.MAX_SAFE_INTEGER);
}

const LONGEST_MESSAGE_ID = 200;

/** Hexadecimal digits: 80 bits, so that nobody finds two names with one digest. */
const SCOPE_DIGITS = 20;

/**
 * The id under which a store remembers a message, from the one that the caller gave to it, if any. An id belongs to its
 * queue, its event or the starts of the instance. The digest of their name keeps what is stored short.
 */
export function toMessageId(
  operation: string,
  item: OrchestratorItem,
  { messageId }: EnqueueOptions = {},
): string | undefined {
  if (messageId === undefined) return undefined;
  const isRight = typeof messageId === "string" && messageId !== "" && messageId.length <= LONGEST_MESSAGE_ID;
  if (isRight) {
    const scope = JSON.stringify([item.kind, "name" in item ? item.name : ""]);
    return `${createHash("sha256").update(scope).digest("hex").slice(0, SCOPE_DIGITS)}:${messageId}`;
  }
  throw invalidInput(operation, `messageId must be a string of 1 to ${LONGEST_MESSAGE_ID} characters`);
}

/** `invalid-input` unless it is a start of a root with messages for the same instance, and one of the three rules. */
export function checkStartInstance(
  operation: string,
  start: WorkItemOf<"StartOrchestration">,
  options: StartInstanceOptions,
): void {
  requireObject(operation, "options", options);
  const { ifExists, messages, deadline } = options;
  checkItem(operation, start);
  // A caller in JavaScript may pass anything.
  const kind: string = start.kind;
  if (kind !== "StartOrchestration" || start.parent_instance !== null) {
    throw invalidInput(operation, `a ${kind} is no start of a root; use enqueueForOrchestrator`);
  }
  if (ifExists !== "reuse" && ifExists !== "fail" && ifExists !== "restart") {
    throw invalidInput(operation, `ifExists is ${String(ifExists)}; it must be reuse, fail or restart`);
  }
  const items = [...messages, ...(deadline === undefined ? [] : [deadline.item])];
  const stranger = items.find(({ instance }) => instance !== start.instance);
  if (stranger === undefined) return;
  throw invalidInput(
    operation,
    `a message is for ${stranger.instance}; pass only messages for ${start.instance}`,
  );
}
