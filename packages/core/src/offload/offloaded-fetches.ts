/**
 * Fetched work with its payloads in place.
 *
 * - offloaded-fetches.OF1: Work whose blobs cannot be read is released as blocked: no attempt is counted, so it does
 *   not become poison, and it continues when the blobs can be read.
 * - offloaded-fetches.OF2: The fetch itself does not fail then, so other work continues.
 */
import { type Clock, doubledMs } from "../contract/clock.ts";
import type {
  AbandonOptions,
  FetchedOrchestration,
  FetchedWork,
  FetchOrchestrationOptions,
  FetchWorkOptions,
  KvEntry,
  OrchestrationItem,
  Provider,
} from "../contract/provider.ts";
import type { Blocked } from "../contract/status.ts";
import type { LogLimit } from "../define/log-limit.ts";
import type { LogFields, Logger } from "../define/logger.ts";
import { thrownMessage } from "../errors/thrown-value.ts";
import type { Blobs } from "./blobs.ts";
import { keepLockDuring } from "./held-lock.ts";
import { collectTexts, replaceTexts } from "./payload-texts.ts";
import { looksLikeReference } from "./reference.ts";

export interface FetchTools {
  readonly provider: Provider;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logLimit: LogLimit;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

export async function fetchOrchestration(
  tools: FetchTools,
  options: FetchOrchestrationOptions,
): Promise<FetchedOrchestration | undefined> {
  const { provider, blobs, clock } = tools;
  const fetched = await provider.fetchOrchestrationItem(options);
  if (fetched === undefined) return undefined;
  const references = referencesIn(fetched.item);
  if (references.size === 0) return fetched;
  const { lockToken } = fetched;
  const { lockTimeoutMs } = options;
  try {
    const { value, ...lock } = await keepLockDuring(
      clock,
      lockTimeoutMs,
      () => provider.renewOrchestrationItemLock(lockToken, lockTimeoutMs),
      () => blobs.load("fetchOrchestrationItem", references),
    );
    return { ...fetched, ...lock, item: withTexts(fetched.item, value) };
  } catch (error) {
    const giveBack = block(tools, fetched.blocked, error, { instance_id: fetched.item.instanceId });
    await provider.abandonOrchestrationItem(lockToken, giveBack);
    return undefined;
  }
}

export async function fetchWork(
  tools: FetchTools,
  options: FetchWorkOptions,
): Promise<FetchedWork | undefined> {
  const { provider, blobs, clock } = tools;
  const fetched = await provider.fetchWorkItem(options);
  if (fetched === undefined || !looksLikeReference(fetched.item.input)) return fetched;
  const { lockToken, item } = fetched;
  const { lockTimeoutMs } = options;
  try {
    const { value, ...lock } = await keepLockDuring(
      clock,
      lockTimeoutMs,
      () => provider.renewWorkItemLock(lockToken, lockTimeoutMs),
      () => blobs.load("fetchWorkItem", new Set([item.input])),
    );
    return { ...fetched, ...lock, item: replaceTexts(item, value) };
  } catch (error) {
    const fields = { instance_id: item.instance, activity_name: item.name };
    await provider.abandonWorkItem(lockToken, block(tools, fetched.blocked, error, fields));
    return undefined;
  }
}

function referencesIn({ history, messages, kvSnapshot }: OrchestrationItem): Set<string> {
  const references = new Set<string>();
  for (const event of history) collectTexts(event, looksLikeReference, references);
  for (const message of messages) collectTexts(message, looksLikeReference, references);
  for (const entry of kvSnapshot.values()) collectTexts(entry, looksLikeReference, references);
  return references;
}

function withTexts(item: OrchestrationItem, texts: ReadonlyMap<string, string>): OrchestrationItem {
  const kvSnapshot = new Map<string, KvEntry>();
  for (const [key, entry] of item.kvSnapshot) kvSnapshot.set(key, replaceTexts(entry, texts));
  return {
    ...item,
    history: item.history.map((event) => replaceTexts(event, texts)),
    messages: item.messages.map((message) => replaceTexts(message, texts)),
    kvSnapshot,
  };
}

/** offloaded-fetches.OF1. */
function block(
  { logger, logLimit }: FetchTools,
  blocked: Blocked | undefined,
  error: unknown,
  fields: LogFields,
): AbandonOptions {
  const attempts = blocked?.attempts ?? 0;
  const delayMs = doubledMs(FIRST_DELAY_MS, LONGEST_DELAY_MS, attempts);
  const detail = `a payload cannot be read: ${thrownMessage(error)}`;
  const note = logLimit.admit("offload");
  if (note !== undefined) {
    logger.warn({ event: "payload_not_read", ...fields, delay_ms: delayMs }, `blocked: ${detail}${note}`);
  }
  return { delayMs, ignoreAttempt: true, blocked: { reason: "store", detail } };
}
