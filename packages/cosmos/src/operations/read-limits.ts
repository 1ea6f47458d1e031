/** Rules of limits with what runs and waits under them, counted in all partitions. */
import type { JSONValue } from "@azure/cosmos";
import { groupOfKey, type LimitState, type LimitUse, ruleKeysOf } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { limitRuleDocumentId, limitsPartition } from "../documents/ids.ts";
import { toRuleDocument } from "../documents/limit-documents.ts";
import { placesUnder } from "../documents/ranked.ts";
import { LevelDocuments } from "../limits/level-documents.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";

const RULES = "SELECT * FROM c WHERE c.type = 'limit_rule'";

const PLACES = "c.type = 'worker_queue' AND c.visibleAt >= @from AND c.visibleAt < @to";
/** A delay has no token. */
const RUNS = "(c.lockedUntil > @now AND IS_DEFINED(c.ownLockToken))";

const RUNNING = `SELECT VALUE COUNT(1) FROM c WHERE ${PLACES} AND ${RUNS}`;
const WAITING = `SELECT VALUE COUNT(1) FROM c WHERE ${PLACES} AND NOT ${RUNS}`;
const OLDEST = `SELECT VALUE MIN(c.enqueuedAt) FROM c WHERE ${PLACES} AND NOT ${RUNS}`;

const USES = "SELECT c.level, c.instances FROM c WHERE c.type = 'limit_use' AND c.instances > 0";

export async function listLimits(parts: Parts): Promise<readonly LimitState[]> {
  const work = new Work(parts, "listLimits", ADMIN_TIMEOUT_MS);
  const rules = (await work.queryAll<Stored>(RULES)).flatMap(
    (document) => toRuleDocument(document).limit ?? [],
  );
  const sorted = rules.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const states: LimitState[] = [];
  for (const limit of sorted) states.push({ limit, ...(await useOf(work, limit.key)) });
  return states;
}

export async function readLimit(parts: Parts, givenKey: string): Promise<LimitState> {
  const work = new Work(parts, "readLimit", ADMIN_TIMEOUT_MS);
  const key = givenKey.toWellFormed();
  const documents = await LevelDocuments.read(work, key, ruleKeysOf(key).map(limitRuleDocumentId));
  return { limit: documents.ruleOf(key), ...(await useOf(work, key)) };
}

async function useOf(work: Work, key: string): Promise<LimitUse> {
  const nowMs = work.clock.now();
  const [from, to] = placesUnder(key);
  const parameters = { "@from": from, "@to": to, "@now": nowMs };
  const [running, instances, waiting, oldest] = await Promise.all([
    numbers(work, RUNNING, parameters),
    instancesUnder(work, key),
    numbers(work, WAITING, parameters),
    numbers(work, OLDEST, parameters),
  ]);
  return {
    running: sum(running) + instances,
    waiting: sum(waiting),
    oldestWaitingMs: Math.max(0, nowMs - Math.min(nowMs, ...oldest)),
  };
}

async function instancesUnder(work: Work, key: string): Promise<number> {
  const group = groupOfKey(key);
  const uses = await work.query<UseOfInstances>(limitsPartition(key), USES);
  const isMeant = ({ level }: UseOfInstances): boolean =>
    key.endsWith("/*") ? level !== group : level === key;
  return sum(uses.filter(isMeant).map(({ instances }) => instances));
}

interface UseOfInstances {
  readonly level: string;
  readonly instances: number;
}

/** One number of each physical partition that has one. */
async function numbers(
  work: Work,
  query: string,
  parameters: Readonly<Record<string, JSONValue>>,
): Promise<readonly number[]> {
  const found = await work.queryAll<unknown>(query, parameters);
  return found.filter((each) => typeof each === "number");
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
