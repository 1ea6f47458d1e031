/** Finds an instance with work, locks it, and hands it out with everything that a turn needs (§6). */
import {
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  type HistoryEvent,
  inRange,
  type OrchestrationItem,
  type OrchestratorItem,
  type VersionRange,
} from "@duroxide-ts/core";
import { requireDurations } from "../input.ts";
import { isValid, type Moment, type OrchestratorRow } from "../tables.ts";
import { decodeEvents, readWorkItem } from "../texts.ts";
import { currentExecution } from "./history.ts";

/** The visible messages of one instance, decoded. */
interface Batch {
  readonly instanceId: string;
  readonly rows: readonly OrchestratorRow[];
  readonly messages: readonly OrchestratorItem[];
}

type Context = Pick<OrchestrationItem, "orchestrationName" | "version">;

type StoredHistory = Pick<OrchestrationItem, "history" | "historyError">;

export function fetchOrchestrationItem(
  moment: Moment,
  { lockTimeoutMs, pollTimeoutMs, supportedVersions, signal }: FetchOrchestrationOptions,
): FetchedOrchestration | undefined {
  requireDurations("fetchOrchestrationItem", { lockTimeoutMs, pollTimeoutMs });
  if (signal?.aborted || supportedVersions?.length === 0) return undefined;
  for (const instanceId of candidates(moment, supportedVersions)) {
    const batch = visibleBatch(moment, instanceId);
    const stored = storedHistory(moment, instanceId);
    const context = contextOf(moment, batch, stored.history);
    if (context !== undefined) return deliver(moment, batch, stored, context, lockTimeoutMs);
    dropOrphans(moment, batch);
  }
  return undefined;
}

/** Instances with visible rows and without a valid lock that the caller can replay; that of the oldest row first. */
function candidates(
  { tables, nowMs }: Moment,
  supported: readonly VersionRange[] | undefined,
): ReadonlySet<string> {
  const visible = [...tables.orchestratorQueue].filter((row) => row.visibleAtMs <= nowMs);
  const ids = new Set(visible.map(({ instanceId }) => instanceId));
  for (const id of ids) {
    const pinned = currentExecution(tables, id)?.pinnedVersion;
    const isSupported =
      supported === undefined || pinned === undefined || supported.some((range) => inRange(pinned, range));
    if (!isSupported || isValid(tables.instanceLocks.get(id), nowMs)) ids.delete(id);
  }
  return ids;
}

/** Rows that cannot be decoded are set aside, so that they harm nothing but themselves. */
function visibleBatch({ tables, nowMs }: Moment, instanceId: string): Batch {
  const rows: OrchestratorRow[] = [];
  const messages: OrchestratorItem[] = [];
  const inOrder = [...tables.orchestratorQueue].sort((a, b) => a.orderAtMs - b.orderAtMs);
  for (const row of inOrder) {
    if (row.instanceId !== instanceId || row.visibleAtMs > nowMs) continue;
    const message = readWorkItem(row.text);
    if (message === undefined || message.kind === "ActivityExecute") {
      tables.orchestratorQueue.delete(row);
      tables.quarantine.add(row);
    } else {
      rows.push(row);
      messages.push(message);
    }
  }
  return { instanceId, rows, messages };
}

/** A history that cannot be decoded is the runtime's business, so it is told, and nothing is thrown. */
function storedHistory({ tables }: Moment, instanceId: string): StoredHistory {
  try {
    return { history: decodeEvents(currentExecution(tables, instanceId)?.events ?? new Map()) };
  } catch (error) {
    return { history: [], historyError: String(error) };
  }
}

/** What a turn must know of its orchestration; `undefined` where nobody has said it yet, or no message is left. */
function contextOf(
  { tables }: Moment,
  { instanceId, messages }: Batch,
  [first]: readonly HistoryEvent[],
): Context | undefined {
  if (messages.length === 0) return undefined;
  const instance = tables.instances.get(instanceId);
  if (instance !== undefined) return { orchestrationName: instance.name, version: instance.version };
  if (first?.type === "OrchestrationStarted")
    return { orchestrationName: first.name, version: first.version };
  const start = messages.find((each) => each.kind === "StartOrchestration" || each.kind === "ContinueAsNew");
  if (start !== undefined)
    return { orchestrationName: start.orchestration, version: start.version ?? "unknown" };
  return tables.executions.has(instanceId) ? { orchestrationName: "unknown", version: "unknown" } : undefined;
}

/** Queue messages to nobody are dropped; anything else waits for the start that it has overtaken. */
function dropOrphans({ tables }: Moment, { rows, messages }: Batch): void {
  if (messages.some(({ kind }) => kind !== "QueueMessage")) return;
  for (const row of rows) {
    tables.orchestratorQueue.delete(row);
    tables.messageIds.delete(row.instanceId);
  }
}

function deliver(
  { tables, nowMs, random }: Moment,
  { instanceId, rows, messages }: Batch,
  stored: StoredHistory,
  context: Context,
  lockTimeoutMs: number,
): FetchedOrchestration {
  const lockToken = random.uuid();
  tables.instanceLocks.set(instanceId, { token: lockToken, untilMs: nowMs + lockTimeoutMs });
  for (const row of rows) {
    row.deliveredTo = lockToken;
    row.attempts++;
  }
  const item: OrchestrationItem = {
    instanceId,
    ...context,
    executionId: currentExecution(tables, instanceId)?.id ?? 1,
    ...stored,
    messages,
    kvSnapshot: new Map(tables.keyValues.get(instanceId)?.settled),
  };
  return { item, lockToken, attemptCount: Math.max(...rows.map(({ attempts }) => attempts)) };
}
