/**
 * Rows of both queues with their locks, in the order in which they become visible. A row that a process of ours has
 * locked is hidden until the lock ends; it is listed with the time at which it was queued.
 */
import type { JSONValue } from "@azure/cosmos";
import {
  checkWorkQuery,
  continuationOf,
  DEFAULT_PAGE,
  decodeWorkItem,
  describedText,
  levelsOf,
  positionOf,
  type QueuedWork,
  ruleKeysOf,
  type WorkPage,
  type WorkQuery,
  waitingFor,
} from "@duroxide-ts/core/stores";
import { lockOf, lockTokenOf } from "../../documents/lean.ts";
import type { Sequence } from "../../documents/queue-order.ts";
import { isRankedAt } from "../../documents/ranked.ts";
import { UNLOCKED } from "../../documents/unlocked.ts";
import { type Parts, Work } from "../../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../../memory/waits.ts";
import { type OrderedQuery, orderedPage, type Place } from "./ordered-page.ts";

const OPERATION = "listWork";

interface WorkRow {
  readonly id: string;
  readonly type: "orch_queue" | "worker_queue";
  readonly instanceId: string;
  readonly workItem: string;
  readonly visibleAt: number;
  readonly enqueuedAt: number;
  readonly lockToken?: string | null;
  readonly ownLockToken?: string;
  readonly lockedUntil?: number | null;
  readonly attemptCount: number;
  readonly sessionId?: string | null;
  readonly tag?: string;
  readonly sequence?: Sequence;
}

const COLUMNS = `c.id, c.type, c.instanceId, c.workItem, c.visibleAt, c.enqueuedAt, c.lockToken, c.ownLockToken, c.lockedUntil,
  c.attemptCount, c.sessionId, c.tag, c.sequence`;

const TYPES = { orchestrator: "orch_queue", worker: "worker_queue" } as const;

/** Instance whose messages wait: it is locked, with the attempts of the rows taken by its holder, or suspended. */
interface HeldInstance {
  readonly instanceId: string;
  readonly lockedUntil?: number | null;
  readonly isSuspended: boolean;
  readonly taken?: Readonly<Record<string, number>>;
}

const HELD = `SELECT c.instanceId, c.lockedUntil, c.duroxideTs.taken, IS_DEFINED(c.duroxideTs.suspended) AS isSuspended
  FROM c WHERE c.type = 'instance' AND (c.lockedUntil > @now OR IS_DEFINED(c.duroxideTs.suspended))`;

export async function listWork(parts: Parts, query: WorkQuery = {}): Promise<WorkPage> {
  checkWorkQuery(OPERATION, query);
  const { limit = DEFAULT_PAGE, continuation, ...asked } = query;
  const after = positionOf(OPERATION, asked, continuation, isPlace) as Place | undefined;
  const nowMs = parts.clock.now();
  const reading = new Work(parts, OPERATION, ADMIN_TIMEOUT_MS);
  const held = query.kind === "worker" ? new Map() : await heldInstances(reading, nowMs);
  const page = await orderedPage(reading, orderedQuery(asked, nowMs, held), after, limit);
  const limits = await limitsOf(reading, page.rows, nowMs);
  const work = inQueueOrder(page.rows).map((row) => ({
    ...toQueuedWork(row, nowMs, held.get(row.instanceId)),
    ...limits.get(row),
  }));
  const cost = { requestUnits: reading.charge };
  if (page.end === undefined) return { work, cost };
  return { work, cost, continuation: continuationOf(asked, page.end) };
}

async function heldInstances(work: Work, nowMs: number): Promise<ReadonlyMap<string, HeldInstance>> {
  const held = await work.queryAll<HeldInstance>(HELD, { "@now": nowMs });
  return new Map(held.map((instance) => [instance.instanceId, instance]));
}

function orderedQuery(
  { kind, instanceId, tag, overdueByMs }: WorkQuery,
  nowMs: number,
  held: ReadonlyMap<string, HeldInstance>,
): OrderedQuery<WorkRow> {
  const types = kind === undefined ? Object.values(TYPES) : [TYPES[kind]];
  const conditions = ["ARRAY_CONTAINS(@types, c.type)"];
  const parameters: Record<string, JSONValue> = { "@types": types };
  if (tag !== undefined) {
    conditions.push("c.tag = @tag");
    parameters["@tag"] = tag.toWellFormed();
  }
  if (overdueByMs !== undefined) {
    conditions.push(`c.visibleAt <= @overdue AND ${UNLOCKED}`);
    parameters["@overdue"] = nowMs - overdueByMs;
    parameters["@now"] = nowMs;
  }
  return {
    select: `SELECT ${COLUMNS} FROM c WHERE ${conditions.join(" AND ")}`,
    parameters,
    ...(instanceId !== undefined && { instanceId: instanceId.toWellFormed() }),
    by: "c.visibleAt",
    descending: false,
    placeOf: ({ visibleAt, enqueuedAt, instanceId: owner, id }) => [visibleAt, enqueuedAt, `${owner} ${id}`],
    matches: (row) => overdueByMs === undefined || row.type === "worker_queue" || !held.has(row.instanceId),
  };
}

/** The places of ranked rows are no times: on a page they stand in the order in which they were queued. */
function inQueueOrder(rows: readonly WorkRow[]): readonly WorkRow[] {
  const [ranked, others] = [rows.filter(isRanked), rows.filter((row) => !isRanked(row))];
  return [...others, ...ranked.sort((a, b) => a.enqueuedAt - b.enqueuedAt || numberOf(a) - numberOf(b))];
}

function numberOf({ sequence }: WorkRow): number {
  return sequence?.number ?? 0;
}

function isRanked({ visibleAt }: WorkRow): boolean {
  return isRankedAt(visibleAt);
}

const RULES = "SELECT VALUE c.key FROM c WHERE c.type = 'limit_rule' AND IS_DEFINED(c.rule)";

type Held = Pick<QueuedWork, "limit" | "reason">;

/** The limit for which a row waits: one of its levels has a rule. */
async function limitsOf(
  work: Work,
  rows: readonly WorkRow[],
  nowMs: number,
): Promise<ReadonlyMap<WorkRow, Held>> {
  const waiting = rows.filter((row) => isRanked(row) && lockEnd(row.lockedUntil, nowMs) === undefined);
  if (waiting.length === 0) return new Map();
  const rules = new Set(await work.queryAll<string>(RULES));
  const limits = new Map<WorkRow, Held>();
  for (const row of waiting) {
    const limit = limitIn(row);
    if (limit === undefined) continue;
    const hasRule = levelsOf(limit).some((level) => ruleKeysOf(level).some((key) => rules.has(key)));
    if (hasRule) limits.set(row, { limit, reason: waitingFor(limit) });
  }
  return limits;
}

function limitIn({ workItem }: WorkRow): string | undefined {
  try {
    const item = decodeWorkItem(workItem);
    return item.kind === "ActivityExecute" ? item.limit : undefined;
  } catch {
    return undefined;
  }
}

function toQueuedWork(row: WorkRow, nowMs: number, holder: HeldInstance | undefined): QueuedWork {
  const isMessage = row.type === "orch_queue";
  const isDelayed = isRanked(row) && lockTokenOf(row) === null;
  const lock = isMessage ? holder?.lockedUntil : isDelayed ? null : lockOf(row).lockedUntil;
  const lockedUntilMs = lockEnd(lock, nowMs);
  const isHidden = !isMessage && (lockedUntilMs !== undefined || isRanked(row));
  return {
    kind: isMessage ? "orchestrator" : "worker",
    instanceId: row.instanceId,
    ...describedText(row.workItem, decodeWorkItem),
    visibleAtMs: isHidden ? ((isDelayed ? row.lockedUntil : null) ?? row.enqueuedAt) : row.visibleAt,
    ...(lockedUntilMs !== undefined && { lockedUntilMs }),
    ...(isMessage && holder?.isSuspended === true && { suspended: true }),
    attempts: (isMessage ? holder?.taken?.[row.id] : undefined) ?? row.attemptCount,
    ...(row.tag !== undefined && { tag: row.tag }),
    ...(typeof row.sessionId === "string" && { session: row.sessionId }),
  };
}

function lockEnd(lockedUntil: number | null | undefined, nowMs: number): number | undefined {
  return typeof lockedUntil === "number" && lockedUntil > nowMs ? lockedUntil : undefined;
}

function isPlace(place: readonly unknown[]): boolean {
  return place.length === 3 && typeof place[0] === "number" && typeof place[2] === "string";
}
