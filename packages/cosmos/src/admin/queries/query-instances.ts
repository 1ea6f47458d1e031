/** Filtered lists and counts of instances. */
import {
  type CountKey,
  checkCountKeys,
  checkInstanceFilter,
  checkInstanceQuery,
  continuationOf,
  DEFAULT_PAGE,
  type InstanceCount,
  type InstanceCounts,
  type InstanceFilter,
  type InstanceQuery,
  type InstanceQueryPage,
  positionOf,
} from "@duroxide-ts/core/stores";
import { runsOn } from "../../documents/instance.ts";
import { type Parts, Work } from "../../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../../memory/waits.ts";
import type { Parameters } from "../../service/spec.ts";
import { blockedInstances } from "./blocked-instances.ts";
import {
  conditionsFor,
  type InstanceConditions,
  IS_CANCELLED,
  IS_SCHEDULED,
  IS_WAITING,
} from "./instance-conditions.ts";
import { INSTANCE_COLUMNS, type InstanceRow, toSummary } from "./instance-row.ts";
import { type OrderedQuery, orderedPage, type Place } from "./ordered-page.ts";

export async function queryInstances(parts: Parts, query: InstanceQuery = {}): Promise<InstanceQueryPage> {
  const operation = "queryInstances";
  checkInstanceQuery(operation, query);
  const { filter = {}, order = "created-desc", limit = DEFAULT_PAGE, continuation } = query;
  const asked = { filter, order };
  const after = positionOf(operation, asked, continuation, isPlace) as Place | undefined;
  const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
  const { blocked: known, ...conditions } = await conditionsFor(work, filter);
  const page = await orderedPage(work, orderedQuery(order, conditions), after, limit);
  const nowMs = work.clock.now();
  const ids = page.rows.map(({ instanceId }) => instanceId);
  const blocked = known ?? (await blockedInstances(work, ids));
  const instances = page.rows.map((row) => {
    const ofInstance = blocked.get(row.instanceId);
    const summary = toSummary(row, nowMs);
    return ofInstance === undefined ? summary : { ...summary, blocked: ofInstance };
  });
  const cost = { requestUnits: work.charge };
  if (page.end === undefined) return { instances, cost };
  return { instances, cost, continuation: continuationOf(asked, page.end) };
}

export async function countInstances(
  parts: Parts,
  filter: InstanceFilter = {},
  by: readonly CountKey[] = [],
): Promise<InstanceCounts> {
  const operation = "countInstances";
  checkInstanceFilter(operation, filter);
  checkCountKeys(operation, by);
  const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
  const { indexed, others, parameters } = await conditionsFor(work, filter);
  const where = `WHERE ${indexed} AND ${others}`;
  const counted = by.length === 0 ? countAll : countBy;
  const counts = await counted(work, { where, parameters }, by);
  return { counts, cost: { requestUnits: work.charge } };
}

/** A query without its selection. */
interface Where {
  readonly where: string;
  readonly parameters: Parameters;
}

async function countAll(work: Work, { where, parameters }: Where): Promise<readonly InstanceCount[]> {
  const query = `SELECT VALUE COUNT(1) FROM c ${where}`;
  const counts = await work.queryAll<number>(query, parameters);
  return [{ key: [], count: counts.reduce((sum, each) => sum + each, 0) }];
}

interface Group {
  readonly status: string;
  readonly ended: boolean;
  readonly scheduled: boolean;
  readonly waiting: boolean;
  readonly cancelled: boolean;
  readonly name: string;
  readonly version: string;
  readonly count: number;
}

const COLUMNS: Readonly<Record<CountKey, readonly (readonly [path: string, name: string])[]>> = {
  status: [
    ["c.status", "status"],
    ["IS_DEFINED(c.duroxideTs.completedAt)", "ended"],
    [IS_SCHEDULED, "scheduled"],
    [IS_WAITING, "waiting"],
    [IS_CANCELLED, "cancelled"],
  ],
  name: [["c.orchestrationName", "name"]],
  version: [["c.orchestrationVersion", "version"]],
};

async function countBy(
  work: Work,
  { where, parameters }: Where,
  by: readonly CountKey[],
): Promise<readonly InstanceCount[]> {
  const columns = by.flatMap((key) => COLUMNS[key]);
  const selected = columns.map(([path, name]) => `${path} AS ${name}`).join(", ");
  const grouped = columns.map(([path]) => path).join(", ");
  const query = `SELECT ${selected}, COUNT(1) AS count FROM c ${where} GROUP BY ${grouped}`;
  const counts = new Map<string, InstanceCount>();
  for (const group of await work.queryAll<Group>(query, parameters)) {
    const values = { ...group, status: statusOf(group) };
    const key = by.map((name) => values[name]);
    const text = JSON.stringify(key);
    counts.set(text, { key, count: (counts.get(text)?.count ?? 0) + group.count });
  }
  return [...counts.values()];
}

function statusOf({ status, ended, scheduled, waiting, cancelled }: Group): string {
  if (runsOn(status, ended ? 0 : undefined)) return "Running";
  if (status === "Running" && scheduled) return "Scheduled";
  if (status === "Running" && waiting) return "Waiting";
  return status === "Failed" && cancelled ? "Cancelled" : status;
}

/** The service's time of the last write has an index in every container, and changes with every update. */
function orderedQuery(
  order: NonNullable<InstanceQuery["order"]>,
  { indexed, others, parameters }: InstanceConditions,
): OrderedQuery<InstanceRow> {
  const isByUpdate = order === "updated-desc";
  return {
    select: `SELECT ${INSTANCE_COLUMNS}, ${others} AS ok FROM c WHERE ${indexed}`,
    parameters,
    by: isByUpdate ? "c._ts" : "c.createdAt",
    descending: order !== "created-asc",
    placeOf: ({ _ts, createdAt, updatedAt, instanceId }) =>
      isByUpdate ? [_ts, updatedAt, instanceId] : [createdAt, instanceId],
    matches: ({ ok }) => ok,
  };
}

function isPlace(place: readonly unknown[]): boolean {
  return place.length >= 2 && typeof place[0] === "number" && typeof place.at(-1) === "string";
}
