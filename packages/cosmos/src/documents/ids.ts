/**
 * The ids of documents: docs/reference/wire-format.md §6 for Rust's types, the same pattern for ours. The service
 * rejects some characters and more than 1,023 bytes (docs/reference/cosmos-protocol.md §3.1); such an id is replaced by
 * its hash. Rust cannot address such a document (hazard W60), so it gets no work that leads to one (`isForRust`).
 */
import { createHash } from "node:crypto";
import { groupOfKey, type TimerId, timerKey } from "@duroxide-ts/core/stores";

const MAX_ID_BYTES = 1_023;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them
const FORBIDDEN = /[/\\?#\u0000-\u001f\u007f]/;

function isStorable(id: string): boolean {
  return !FORBIDDEN.test(id) && Buffer.byteLength(id) <= MAX_ID_BYTES;
}

function checked(id: string): string {
  return isStorable(id) ? id : `~sha256:${createHash("sha256").update(id).digest("hex")}`;
}

/**
 * Whether Rust can serve work of the instance, and of the session. It uses ids as they are in ids of documents, and in a
 * header of JSON (hazards W59, W60). One row with another id fails each of its fetches, or ends the task that fetches.
 */
export function isForRust(instance: string, session?: string | null): boolean {
  if (instance.includes('"') || !isStorable(`${instance}:instance`)) return false;
  return typeof session !== "string" || isStorable(`${instance}:session:${session}`);
}

export const instanceDocumentId = (instance: string): string => checked(`${instance}:instance`);

export const historyDocumentId = (instance: string, executionId: number, eventId: number): string =>
  checked(`${instance}:history:${executionId}:${eventId}`);

export const kvDocumentId = (instance: string, key: string): string => checked(`${instance}:kv:${key}`);

export const kvDeltaDocumentId = (instance: string, key: string): string =>
  checked(`${instance}:kv_delta:${key}`);

/** Names of streams are arbitrary texts, and an id takes few bytes so. */
function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 24);
}

export const streamDocumentId = (instance: string, stream: string): string =>
  checked(`${instance}:stream:${digestOf(stream)}`);

export const streamBatchDocumentId = (instance: string, stream: string, offset: number): string =>
  checked(`${instance}:stream:${digestOf(stream)}:${offset}`);

/** The last report of a call. */
export const progressDocumentId = (instance: string, call: string): string =>
  checked(`${instance}:progress:${call}`);

export const sessionDocumentId = (instance: string, session: string): string =>
  checked(`${instance}:session:${session}`);

/** One document for each ended execution; the instance document has the current one. */
export const executionDocumentId = (instance: string, executionId: number): string =>
  checked(`${instance}:execution:${executionId}`);

/** Id in the sender's partition until it is delivered. The secret of the turn makes it unique (hazard W1). */
export const intentDocumentId = (source: string, secret: string, index: number): string =>
  checked(`intent:${source}:${secret}:${index}`);

/** Id in the receiver's partition, so that a delivery is not repeated (hazard W40). */
export const receiptDocumentId = (key: string): string => checked(`receipt:${key}`);

/** The same for a message with a sender's id. */
export const messageReceiptDocumentId = (messageId: string): string =>
  checked(`receipt:message:${messageId}`);

/** Written by a start that checked whether its id was free. */
export const startMarkDocumentId = (instance: string): string => checked(`${instance}:start_mark`);

/** Part of a commit that is too large for one batch. */
export const stagedDocumentId = (instance: string, stage: string, index: number): string =>
  checked(`${instance}:staged:${stage}:${index}`);

/** Names the pieces of a commit that is not decided yet. */
export const stagingDocumentId = (instance: string, stage: string): string =>
  checked(`${instance}:staging:${stage}`);

/** Takes the place of that document when the commit is given up. */
export const droppedStagingDocumentId = (instance: string, stage: string): string =>
  checked(`${instance}:staging:${stage}:dropped`);

export const commitDocumentId = (instance: string): string => checked(`${instance}:commit_intent`);

/**
 * The row of a message that waits until it is due, so that a commit removes it without reading it. The time of the firing
 * tells the timers of different lives of an instance apart.
 */
export const timerRowId = (timer: TimerId): string => timerKey(timer);

/** Sessions are global, so each has its own partition. */
export const sessionPartition = (session: string): string => `__session__:${session}`;

/** The vouches of all owners have one partition. */
export const SESSIONS_PARTITION = "__sessions__";

/** One id for all owners of a process, which do not change. */
export const vouchDocumentId = (owners: readonly string[]): string =>
  `vouch:${createHash("sha256").update(JSON.stringify(owners)).digest("hex")}`;

export const sessionOwnerDocumentId = (session: string): string => checked(`${session}:session_owner`);

export const deletionDocumentId = (instance: string): string => checked(`${instance}:delete_intent`);

export const pruningDocumentId = (instance: string): string => checked(`${instance}:prune_intent`);

/** The documents of the members have one partition, so that a beat queries one. */
export const LEASES_PARTITION = "__leases__";

export const memberDocumentId = (member: string): string => checked(`member:${member}`);

/** Reports of worker processes have one partition, so that a list queries one. */
export const WORKERS_PARTITION = "__workers__";

export const workerDocumentId = (worker: string): string => checked(`worker:${worker}`);
export const workerOf = (documentId: string): string => documentId.slice("worker:".length);

/** The mark that there are ranked rows (documents/ranked.ts). */
export const RANKED_PARTITION = "__limits__";

/** All documents of a first level and of the keys under it, so that one batch changes both levels of a key. */
export const limitsPartition = (key: string): string => `__limits__:${groupOfKey(key)}`;

export const limitRuleDocumentId = (key: string): string => checked(`rule:${key.replace("/", ":")}`);
export const limitPermitDocumentId = (instance: string): string => checked(`permit:${instance}`);
export const limitUseDocumentId = (level: string): string => checked(`use:${level.replace("/", ":")}`);
