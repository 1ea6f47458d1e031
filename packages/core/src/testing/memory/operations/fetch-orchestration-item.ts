/**
 * Locks an instance that has messages to process, and loads the input of its turn
 * (docs/reference/provider-contract.md §6). The filter comes first, because an instance that does not pass it must not
 * be locked, counted or read.
 */
import type {
  FetchedOrchestration,
  FetchOrchestrationOptions,
  OrchestrationItem,
} from "../../../contract/provider.ts";
import { hasEnded } from "../../../contract/status.ts";
import { restartIn } from "../../../stores/debounced-start.ts";
import { droppedBeforeStart } from "../../../stores/dropped-before-start.ts";
import { orchestrationOf, startIn } from "../../../stores/orchestration-of.ts";
import { inRange, type VersionRange } from "../../../wire/version.ts";
import type { OrchestratorItem, WorkItemOf } from "../../../wire/work-item.ts";
import { deleteInstance } from "../admin/delete-instances.ts";
import { blockedInstance } from "../blocked.ts";
import { readEvents, toMessage, toMessageRow } from "../codec.ts";
import { isTurnForOthers, releasedForWantOfCode } from "../left-work.ts";
import { isInstanceLocked } from "../locks.ts";
import { isReadable } from "../set-aside.ts";
import { currentExecution, currentExecutionId, type MessageRow, type Store } from "../store.ts";

export function fetchOrchestrationItem(
  store: Store,
  options: FetchOrchestrationOptions,
): FetchedOrchestration | undefined {
  const nowMs = store.clock.now();
  for (const instanceId of candidates(store, nowMs, options)) {
    const visible = visibleMessages(store, instanceId, nowMs);
    const batch = visible.filter((row) => isReadable(store, row, toMessage));
    if (batch.length === 0) continue;
    const again = mayRestart(store, instanceId) ? restartIn(batch.map(toMessage)) : undefined;
    if (again !== undefined) return restarted(store, again, options);
    if (!hasContext(store, instanceId, batch)) dropEarlyQueueMessages(store, instanceId, batch);
    else if (!isTurnForOthers(store, instanceId, batch, options))
      return lock(store, instanceId, batch, nowMs, options);
  }
  return undefined;
}

function mayRestart(store: Store, instanceId: string): boolean {
  const isChild = store.instances.get(instanceId)?.parentInstanceId !== undefined;
  return !isChild && hasEnded(currentExecution(store, instanceId)?.status);
}

/** A debounced start that is due: the instance of before is deleted with its tree. */
function restarted(
  store: Store,
  start: WorkItemOf<"StartOrchestration">,
  options: FetchOrchestrationOptions,
): FetchedOrchestration | undefined {
  const ids = store.messageIds.get(start.instance);
  deleteInstance(store, start.instance, { force: true });
  // A repetition of the start must find its id after the restart too.
  if (ids !== undefined) store.messageIds.set(start.instance, ids);
  store.messages.push(toMessageRow("fetchOrchestrationItem", start, store.clock.now()));
  return fetchOrchestrationItem(store, options);
}

/**
 * Instances with a visible message and without a lock that are not suspended, the oldest message first; then those that
 * other fetches had no code for.
 */
function candidates(store: Store, nowMs: number, options: FetchOrchestrationOptions): ReadonlySet<string> {
  const due = store.messages.filter((row) => row.visibleAtMs <= nowMs && store.sees(row));
  const ids = [...due.map(({ instanceId }) => instanceId), ...releasedForWantOfCode(store, options)];
  return new Set(
    ids.filter(
      (id) =>
        !isInstanceLocked(store, id, nowMs) &&
        !store.suspended.has(id) &&
        isSupported(store, id, options.supportedVersions),
    ),
  );
}

/** Every runtime supports an execution without a pinned version, except one whose list of versions is empty. */
function isSupported(
  store: Store,
  instanceId: string,
  supported: readonly VersionRange[] | undefined,
): boolean {
  if (supported === undefined) return true;
  if (supported.length === 0) return false;
  const pinned = currentExecution(store, instanceId)?.pinnedVersion;
  return pinned === undefined || supported.some((range) => inRange(pinned, range));
}

/**
 * Rows by order time; those of the same time stay in queue order. Includes all rows of a blocked batch, hidden or not.
 */
function visibleMessages(store: Store, instanceId: string, nowMs: number): MessageRow[] {
  const batch = store.blockedInstances.get(instanceId)?.batch;
  const isBlocked = ({ lockToken }: MessageRow): boolean => batch !== undefined && lockToken === batch;
  const own = store.messages.filter((row) => row.instanceId === instanceId && store.sees(row));
  return own
    .filter((row) => row.visibleAtMs <= nowMs || isBlocked(row))
    .sort((a, b) => a.orderAtMs - b.orderAtMs);
}

/** Whether the orchestration of the batch is known: from the instance, its history, or a start in the batch. */
function hasContext(store: Store, instanceId: string, batch: readonly MessageRow[]): boolean {
  if (store.instances.has(instanceId)) return true;
  if ((currentExecution(store, instanceId)?.events.size ?? 0) > 0) return true;
  return startIn(batch.map(toMessage)) !== undefined;
}

/**
 * Drops queue messages that were sent before the start, which is not supported. Other messages wait for the start, and
 * so do queue messages for which it is queued and not visible yet.
 */
function dropEarlyQueueMessages(store: Store, instanceId: string, batch: readonly MessageRow[]): void {
  if (!batch.every((row) => toMessage(row).kind === "QueueMessage")) return;
  const queued = store.messages.filter(
    (row) => row.instanceId === instanceId && isReadable(store, row, toMessage),
  );
  if (startIn(queued.map(toMessage)) !== undefined) return;
  store.messages = store.messages.filter((row) => !batch.includes(row));
  store.messageIds.delete(instanceId);
  const message = droppedBeforeStart(batch.map(toMessage));
  store.warn(message, { instanceId });
}

function lock(
  store: Store,
  instanceId: string,
  batch: readonly MessageRow[],
  nowMs: number,
  { lockTimeoutMs, heldHistory }: FetchOrchestrationOptions,
): FetchedOrchestration {
  const token = store.random.uuid();
  const lockedUntilMs = nowMs + lockTimeoutMs;
  store.instanceLocks.set(instanceId, { token, lockedUntilMs });
  for (const row of batch) {
    row.visibleAtMs = Math.min(row.visibleAtMs, nowMs);
    row.lockToken = token;
    row.attemptCount++;
  }
  const block = store.blockedInstances.get(instanceId);
  const loneRuns = Math.max(...batch.map((row) => row.loneRuns));
  return {
    item: load(store, instanceId, batch.map(toMessage), heldHistory?.(instanceId)),
    lockToken: token,
    attemptCount: Math.max(...batch.map((row) => row.attemptCount)),
    lockedUntilMs,
    ...(loneRuns > 0 && { loneRuns }),
    ...(block !== undefined && { blocked: blockedInstance(instanceId, block) }),
  };
}

function load(
  store: Store,
  instanceId: string,
  messages: readonly OrchestratorItem[],
  heldTag: string | undefined,
): OrchestrationItem {
  // Before a turn has stored the name of the instance, only its history has the name.
  const historyOmitted =
    heldTag !== undefined && heldTag === store.historyTags.get(instanceId) && store.instances.has(instanceId);
  const stored = historyOmitted ? { history: [] } : loadHistory(store, instanceId);
  const { name, version } = orchestrationOf(store.instances.get(instanceId), stored.history, messages);
  return {
    instanceId,
    orchestrationName: name,
    version,
    executionId: Math.max(1, currentExecutionId(store, instanceId)),
    messages,
    ...stored,
    kvSnapshot: new Map(historyOmitted ? [] : store.kv.get(instanceId)?.finished),
    ...(historyOmitted && { historyOmitted }),
  };
}

/** Returns a history that cannot be decoded as `historyError`, because a thrown error would fail the whole fetch. */
function loadHistory(store: Store, instanceId: string): Pick<OrchestrationItem, "history" | "historyError"> {
  try {
    return { history: readEvents(currentExecution(store, instanceId)) };
  } catch (error) {
    return { history: [], historyError: (error as Error).message };
  }
}
