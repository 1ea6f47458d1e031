/**
 * Deletes what the retention of the runtime does not keep (docs/decisions/verbs.md).
 *
 * - retention.RT1: A round reads a bounded number of pages and deletes at most what is on them. Where more is left, the
 *   next round comes soon; otherwise after the interval. Soon is after 5 s where the store charges for requests. Elsewhere it
 *   is after a third of the time that the round took, because other work needs the store, and after 5 s at the latest. All
 *   pages of a task have the cutoff of the first one, because a store accepts a continuation only with the same query.
 * - retention.RT2: Several processes may do this at the same time: a deleted instance is not found again, and each
 *   deletion checks again that its instance ended long enough ago.
 * - retention.RT3: A failure ends only the round: the next one begins after the interval.
 */
import type { ProviderAdmin } from "../contract/admin.ts";
import { type Clock, type Random, sleep } from "../contract/clock.ts";
import type { Logger } from "../define/logger.ts";
import type { Retention, RetentionRule } from "./options/retention-options.ts";

const PAGE = 100;
const PAGES_A_ROUND = 10;
const SOON_MS = 5_000;
/** Pause after a round as a share of its time, where the store does not charge for requests. */
const PAUSE_SHARE = 1 / 3;
const LONGEST_FIRST_MS = 60_000;

export interface RetentionParts {
  readonly admin: ProviderAdmin;
  /** Whether the store charges for each request. */
  readonly isCharged: boolean;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Runs rounds until `stopping` aborts. */
export async function keepRetention(parts: RetentionParts, stopping: AbortSignal): Promise<void> {
  const { clock, random, retention, logger } = parts;
  const { intervalMs } = retention;
  const cursors: Cursors = new Map();
  for (let delayMs = Math.floor(random.next() * Math.min(intervalMs, LONGEST_FIRST_MS)); ; ) {
    await sleep(clock, delayMs, stopping);
    if (stopping.aborted) return;
    try {
      const beganMs = clock.now();
      const isDone = await round(parts, cursors, stopping);
      delayMs = isDone ? intervalMs : soonMs(parts, clock.now() - beganMs);
    } catch (error) {
      logger.warn({ event: "retention_failed", error }, "old instances could not be deleted; retrying");
      delayMs = intervalMs;
    }
  }
}

/** The pause after a round that has left something (retention.RT1). */
function soonMs({ isCharged }: RetentionParts, tookMs: number): number {
  return isCharged ? SOON_MS : Math.min(SOON_MS, Math.max(0, tookMs) * PAUSE_SHARE);
}

/** Resolves to whether nothing is left. */
async function round(parts: RetentionParts, cursors: Cursors, stopping: AbortSignal): Promise<boolean> {
  const { rules, keepExecutions } = parts.retention;
  const deleted = { instances: 0, executions: 0 };
  let isDone = true;
  for (const rule of rules) {
    const read = (cursor: Cursor) => endedPage(parts.admin, rule, cursor);
    const isRead = await inPages(parts.clock, rule.status, cursors, stopping, read, async (instanceIds) => {
      const completedBeforeMs = parts.clock.now() - rule.afterMs;
      const found = await parts.admin.deleteInstances({ instanceIds, completedBeforeMs });
      deleted.instances += found.instancesDeleted;
    });
    isDone = isDone && isRead;
  }
  if (keepExecutions !== undefined) {
    const read = (cursor: Cursor) => continuedPage(parts.admin, keepExecutions, cursor);
    const isRead = await inPages(parts.clock, "executions", cursors, stopping, read, async (instanceIds) => {
      const options = { keepLast: keepExecutions };
      const { executionsDeleted } = await parts.admin.pruneInstances({ instanceIds }, options);
      deleted.executions += executionsDeleted;
    });
    isDone = isDone && isRead;
  }
  if (deleted.instances > 0 || deleted.executions > 0) {
    const fields = { event: "retention_deleted", ...deleted };
    parts.logger.info(fields, "old instances and executions were deleted");
  }
  return isDone;
}

interface Page {
  readonly instanceIds: readonly string[];
  readonly continuation?: string;
}

/** The position of a task, and the time of its first page. */
interface Cursor {
  readonly nowMs: number;
  readonly continuation?: string;
}

/** Cursors of the tasks that are not done, by task. */
type Cursors = Map<string, Cursor>;

/** Resolves to whether all pages were read (retention.RT1). */
async function inPages(
  clock: Clock,
  task: string,
  cursors: Cursors,
  stopping: AbortSignal,
  read: (cursor: Cursor) => Promise<Page>,
  use: (instanceIds: readonly string[]) => Promise<void>,
): Promise<boolean> {
  let cursor: Cursor = cursors.get(task) ?? { nowMs: clock.now() };
  // After a failure the task begins again at its first page.
  cursors.delete(task);
  for (let pages = 0; pages < PAGES_A_ROUND; pages++) {
    const { instanceIds, continuation } = await read(cursor);
    if (instanceIds.length > 0) await use(instanceIds);
    if (continuation === undefined || stopping.aborted) return true;
    cursor = { ...cursor, continuation };
  }
  cursors.set(task, cursor);
  return false;
}

/** A page of roots that may have ended long enough ago; the deletion checks each of them again. */
async function endedPage(
  admin: ProviderAdmin,
  { status, afterMs }: RetentionRule,
  { nowMs, ...position }: Cursor,
): Promise<Page> {
  // The age of failed instances is that of cancelled ones, too.
  const statuses = status === "Failed" ? (["Failed", "Cancelled"] as const) : [status];
  const filter = { status: statuses, rootsOnly: true, updatedToMs: nowMs - afterMs };
  const { instances, continuation } = await admin.queryInstances({
    filter,
    order: "updated-desc",
    limit: PAGE,
    ...position,
  });
  const instanceIds = instances.map(({ instanceId }) => instanceId);
  return { instanceIds, ...(continuation !== undefined && { continuation }) };
}

/** A page of instances that may have more executions than are kept. */
async function continuedPage(
  admin: ProviderAdmin,
  keepExecutions: number,
  { nowMs: _, ...position }: Cursor,
): Promise<Page> {
  const { instances, continuation } = await admin.queryInstances({ limit: PAGE, ...position });
  const instanceIds = instances
    .filter(({ currentExecutionId }) => currentExecutionId > keepExecutions)
    .map(({ instanceId }) => instanceId);
  return { instanceIds, ...(continuation !== undefined && { continuation }) };
}
