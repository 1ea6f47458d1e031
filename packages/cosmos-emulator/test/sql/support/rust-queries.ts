/**
 * Every query that the Rust provider for Cosmos DB was seen to send while its own tests ran: text, parameters, the
 * partition that it names, and what it means, as plain TypeScript. Numbers behind `excl` and `tag` count up from 0.
 */
import type { JsonValue } from "../../../src/protocol/json.ts";
import type { StoredItem } from "./rust-items.ts";

export interface RustQuery {
  readonly text: string;
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly partition?: string;
  matches(item: StoredItem): boolean;
  /** The property that the rows are sorted by. */
  readonly order?: string;
  /** Projects the answer of a document; all of it if absent. */
  project?(item: StoredItem): JsonValue;
  /** Makes the rows out of what was projected, where they are not just those. */
  readonly summary?: "count" | "distinct";
}

export const NOW = 500;
export const INSTANCE = "instance-7";

const LOCK = "(NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil = null OR c.lockedUntil <= @now)";
const NO_TAG = "(NOT IS_DEFINED(c.tag) OR c.tag = null)";
const NO_TAG_OR_ONE = "(NOT IS_DEFINED(c.tag) OR c.tag = null OR c.tag IN (@tag0))";
const NO_SESSION = "(NOT IS_DEFINED(c.sessionId) OR c.sessionId = null)";
const ORCHESTRATOR = `SELECT * FROM c WHERE c.type = 'orch_queue' AND c.visibleAt <= @now AND ${LOCK}`;
const WORKER = `SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= @now AND ${LOCK}`;

const now = { "@now": NOW };
const idOnly = ({ id }: StoredItem): JsonValue => ({ id });
const isUnset = (value: JsonValue | undefined): boolean => value === undefined || value === null;
const isUntil = (value: JsonValue | undefined, ms: number): boolean =>
  typeof value === "number" && value <= ms;
const isDue = (type: string) => (item: StoredItem) =>
  item.type === type &&
  isUntil(item["visibleAt"], NOW) &&
  (isUnset(item["lockedUntil"]) || isUntil(item["lockedUntil"], NOW));
const isWork = isDue("worker_queue");
const isTagged = (item: StoredItem): boolean => item["tag"] === "gpu";

/** Queries by which dispatchers search for work over all partitions, again and again. */
export const CANDIDATES: readonly RustQuery[] = [
  { text: ORCHESTRATOR, parameters: now, matches: isDue("orch_queue") },
  {
    text: `${ORCHESTRATOR} AND c.instanceId != @excl0`,
    parameters: { ...now, "@excl0": INSTANCE },
    matches: (item) => isDue("orch_queue")(item) && item.instanceId !== INSTANCE,
  },
  {
    text: `${WORKER} AND ${NO_TAG}`,
    parameters: now,
    matches: (item) => isWork(item) && isUnset(item["tag"]),
  },
  {
    text: `${WORKER} AND ${NO_TAG} AND c.id != @excl0`,
    parameters: { ...now, "@excl0": `${INSTANCE}-work-0` },
    matches: (item) => isWork(item) && isUnset(item["tag"]) && item.id !== `${INSTANCE}-work-0`,
  },
  {
    text: `${WORKER} AND ${NO_SESSION}`,
    parameters: now,
    matches: (item) => isWork(item) && isUnset(item["sessionId"]),
  },
  {
    text: `${WORKER} AND ${NO_SESSION} AND ${NO_TAG}`,
    parameters: now,
    matches: (item) => isWork(item) && isUnset(item["sessionId"]) && isUnset(item["tag"]),
  },
  {
    text: `${WORKER} AND ${NO_TAG_OR_ONE}`,
    parameters: { ...now, "@tag0": "gpu" },
    matches: (item) => isWork(item) && (isUnset(item["tag"]) || isTagged(item)),
  },
  {
    text: `${WORKER} AND ${NO_TAG_OR_ONE} AND c.id != @excl0`,
    parameters: { ...now, "@tag0": "gpu", "@excl0": "none" },
    matches: (item) => isWork(item) && (isUnset(item["tag"]) || isTagged(item)),
  },
  {
    text: `${WORKER} AND ${NO_SESSION} AND c.tag IN (@tag0)`,
    parameters: { ...now, "@tag0": "gpu" },
    matches: (item) => isWork(item) && isUnset(item["sessionId"]) && isTagged(item),
  },
  {
    text: `${WORKER} AND ${NO_SESSION} AND ${NO_TAG_OR_ONE}`,
    parameters: { ...now, "@tag0": "gpu" },
    matches: (item) => isWork(item) && isUnset(item["sessionId"]) && (isUnset(item["tag"]) || isTagged(item)),
  },
  {
    text: "SELECT * FROM c WHERE c.type = 'outbox_intent' AND c.status = 'pending' AND c.createdAt <= @cutoff",
    parameters: { "@cutoff": 300 },
    matches: (item) =>
      item.type === "outbox_intent" && item["status"] === "pending" && isUntil(item["createdAt"], 300),
  },
  {
    text: "SELECT * FROM c WHERE c.type = 'session' AND c.lockedUntil < @now",
    parameters: now,
    matches: (item) => item.type === "session" && isUntil(item["lockedUntil"], NOW - 1),
  },
];

const hasToken = (type: string) => (item: StoredItem) =>
  item.type === type && item["lockToken"] === `token-${INSTANCE}`;
const isOf = (type: string) => (item: StoredItem) => item.type === type;

/** Queries over all partitions, about one token, instance or status. */
const ELSEWHERE: readonly RustQuery[] = [
  {
    text: "SELECT * FROM c WHERE c.type = @type AND c.lockToken = @lockToken",
    parameters: { "@type": "worker_queue", "@lockToken": `token-${INSTANCE}` },
    matches: hasToken("worker_queue"),
  },
  {
    text: "SELECT * FROM c WHERE c.type = 'instance' AND c.lockToken = @lockToken",
    parameters: { "@lockToken": `token-${INSTANCE}` },
    matches: hasToken("instance"),
  },
  {
    text: `SELECT c.id FROM c WHERE c.type = @type AND c.instanceId = '${INSTANCE}'`,
    parameters: { "@type": "history" },
    matches: (item) => item.type === "history" && item.instanceId === INSTANCE,
    project: idOnly,
  },
  {
    text: "SELECT c.instanceId FROM c WHERE c.type = 'instance' AND c.parentInstanceId = @parentId",
    parameters: { "@parentId": "instance-1" },
    matches: (item) => item.type === "instance" && item["parentInstanceId"] === "instance-1",
    project: ({ instanceId }) => ({ instanceId }),
  },
  {
    text: `SELECT c.id FROM c WHERE c.type = @type AND c.visibleAt <= ${NOW} AND ${LOCK.replace("@now", String(NOW))}`,
    parameters: { "@type": "orch_queue" },
    matches: isDue("orch_queue"),
    project: idOnly,
  },
  {
    text: `SELECT c.id FROM c WHERE c.type = @type AND c.visibleAt > ${NOW}`,
    parameters: { "@type": "orch_queue" },
    matches: (item) => item.type === "orch_queue" && !isUntil(item["visibleAt"], NOW),
    project: idOnly,
  },
  {
    text: "SELECT c.id FROM c WHERE c.type = @type",
    parameters: { "@type": "worker_queue" },
    matches: isOf("worker_queue"),
    project: idOnly,
  },
  { text: "SELECT * FROM c WHERE c.type = 'instance'", parameters: {}, matches: isOf("instance") },
  { text: "SELECT * FROM c WHERE c.type = 'session'", parameters: {}, matches: isOf("session") },
  {
    text: "SELECT * FROM c WHERE c.type = 'instance' AND c.status = @status",
    parameters: { "@status": "Running" },
    matches: (item) => item.type === "instance" && item["status"] === "Running",
  },
];

const one = { "@instanceId": INSTANCE };
const isHere = (type: string) => (item: StoredItem) => item.type === type && item.instanceId === INSTANCE;

const IN_ONE_PARTITION: readonly RustQuery[] = [
  {
    text: "SELECT * FROM c WHERE c.instanceId = @instanceId AND c.type = @type",
    parameters: { ...one, "@type": "kv" },
    matches: isHere("kv"),
  },
  {
    text: "SELECT * FROM c WHERE c.instanceId = @instanceId AND c.type = 'history' AND c.executionId = @executionId ORDER BY c.eventId",
    parameters: { ...one, "@executionId": 1 },
    matches: (item) => isHere("history")(item) && item["executionId"] === 1,
    order: "eventId",
  },
  {
    text: `SELECT * FROM c WHERE c.instanceId = @instanceId AND c.type = 'orch_queue' AND c.visibleAt <= @now AND ${LOCK} ORDER BY c.enqueuedAt`,
    parameters: { ...one, ...now },
    matches: (item) => isHere("orch_queue")(item) && isDue("orch_queue")(item),
    order: "enqueuedAt",
  },
  {
    text: "SELECT c.id FROM c WHERE c.instanceId = @instanceId",
    parameters: one,
    matches: (item) => item.instanceId === INSTANCE,
    project: idOnly,
  },
  {
    text: "SELECT DISTINCT VALUE c.executionId FROM c WHERE c.instanceId = @instanceId AND c.type = 'history'",
    parameters: one,
    matches: isHere("history"),
    project: (item) => item["executionId"] ?? null,
    summary: "distinct",
  },
  {
    text: "SELECT c.id FROM c WHERE c.instanceId = @instanceId AND c.type = 'worker_queue' AND c.executionId = @execId AND c.activityId = @activityId",
    parameters: { ...one, "@execId": 1, "@activityId": 1 },
    matches: (item) => isHere("worker_queue")(item) && item["executionId"] === 1 && item["activityId"] === 1,
    project: idOnly,
  },
  {
    text: "SELECT * FROM c WHERE c.instanceId = @instanceId AND c.type = 'history'",
    parameters: one,
    matches: isHere("history"),
  },
  {
    text: "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'worker_queue' AND c.sessionId = @sid AND c.instanceId = @iid",
    parameters: { "@sid": "s", "@iid": INSTANCE },
    matches: (item) => isHere("worker_queue")(item) && item["sessionId"] === "s",
    summary: "count",
  },
  {
    text: "SELECT c.attemptCount FROM c WHERE c.instanceId = @instanceId AND c.type = 'orch_queue'",
    parameters: one,
    matches: isHere("orch_queue"),
    project: (item) => ({ attemptCount: item["attemptCount"] ?? null }),
  },
];

export const RUST_QUERIES: readonly RustQuery[] = [
  ...CANDIDATES,
  ...ELSEWHERE,
  ...IN_ONE_PARTITION.map((query) => ({ ...query, partition: INSTANCE })),
];
