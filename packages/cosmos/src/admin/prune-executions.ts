/**
 * Removes old executions (docs/reference/provider-contract.md §16; hazards W49, W50). An intent names them first, so
 * that an interrupted pruning is completed. The events of an execution are deleted before its record.
 *
 * - prune-executions.PR1: The instance may be deleted and started again meanwhile, and the later one has executions of
 *   the same numbers. An intent may be created after that. So it names the creation time of its instance, and nothing
 *   is deleted before that instance is read after the intent.
 * - prune-executions.PR2: From then on the instance is deleted with its intent, whose ETag is the condition of each
 *   batch.
 */
import { ProviderError, type PruneOptions, type PruneResult } from "@duroxide-ts/core";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Body, Stored } from "../documents/body.ts";
import { pruningDocumentId } from "../documents/ids.ts";
import { isNamed } from "../documents/instance.ts";
import { readInstance } from "../leases/read-instance.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { ADMIN_TIMEOUT_MS } from "../memory/waits.ts";
import { deleteWithGuard, type Guard, isWhole, type Listable } from "./delete-with-guard.ts";
import { certainly, executionsOf } from "./executions.ts";
import { type Target, targetOf } from "./is-stored.ts";

export async function pruneExecutions(
  parts: Parts,
  operation: string,
  instanceId: string,
  { keepLast = 1, completedBeforeMs = Number.POSITIVE_INFINITY }: PruneOptions,
): Promise<PruneResult> {
  const work = new Work(parts, operation, ADMIN_TIMEOUT_MS);
  const instance = await readInstance(work, instanceId);
  if (instance === undefined || !isNamed(instance)) throw ProviderError.notFound(operation, instanceId);
  const executions = await executionsOf(work, instance);
  const current = saturatedNumber(instance.document.currentExecutionId);
  const old = executions.slice(0, Math.max(0, executions.length - Math.max(1, keepLast)));
  const ended = await certainly(work, instance, old);
  const pruned = ended.filter(
    ({ executionId, status, completedAtMs = Number.POSITIVE_INFINITY }) =>
      executionId !== current && status !== "Running" && completedAtMs < completedBeforeMs,
  );
  if (pruned.length === 0) return { instancesProcessed: 1, executionsDeleted: 0, eventsDeleted: 0 };
  const executionIds = pruned.map(({ executionId }) => executionId);
  const intent = await begin(work, targetOf(instance), executionIds);
  const eventsDeleted = await finishPruning(work, intent);
  const executionsDeleted = eventsDeleted === undefined ? 0 : pruned.length;
  return { instancesProcessed: 1, executionsDeleted, eventsDeleted: eventsDeleted ?? 0 };
}

/** Stores an intent, after completing an older pruning. */
async function begin(
  work: Work,
  { instanceId, createdAt: instanceCreatedAt }: Target,
  executionIds: readonly number[],
): Promise<Stored> {
  const id = pruningDocumentId(instanceId);
  const key = work.service.random.uuid();
  const createdAt = work.clock.now();
  const type = "prune_intent";
  const body: Body = { id, instanceId, type, key, executionIds, instanceCreatedAt, createdAt };
  for (let attempt = 1; ; attempt++) {
    const outcome = await work.batch(instanceId, [{ kind: "create", body }]);
    if (outcome.ok) return { ...body, id, _etag: outcome.etags[0] ?? "" };
    const found = await work.read(instanceId, id);
    // After a lost answer it is the one of this call.
    if (found?.["key"] === key) return found;
    if (found !== undefined) await finishPruning(work, found);
    await work.again(attempt);
  }
}

/**
 * Completes a pruning, including one that another process began. Resolves to the number of events that it deleted;
 * `undefined` if its instance is deleted.
 */
export async function finishPruning(work: Work, intent: Stored): Promise<number | undefined> {
  const checked = await checkInstance(work, intent);
  if (checked === "of another instance") return undefined;
  return checked === "completed" ? 0 : deletePruned(work, checked);
}

/** The intent as it is now, if it is of the instance that stands (prune-executions.PR1). Otherwise it is deleted. */
async function checkInstance(
  work: Work,
  intent: Stored,
): Promise<Stored | "completed" | "of another instance"> {
  const partition = String(intent["instanceId"]);
  let current: Stored | undefined = intent;
  for (let attempt = 1; current !== undefined; attempt++) {
    const instance = await storedInstance(work, partition);
    if (instance !== undefined && targetOf(instance).createdAt === intent["instanceCreatedAt"])
      return current;
    const { isDone } = await deleteWithGuard(work, partition, guardOf(current), [], true);
    if (isDone === true) return "of another instance";
    current = await readAgain(work, intent, attempt);
  }
  return "completed";
}

/** `undefined` if another process has completed the pruning. */
async function readAgain(
  work: Work,
  { id, instanceId, key }: Stored,
  attempt: number,
): Promise<Stored | undefined> {
  const found = await work.read(String(instanceId), id);
  if (found?.["key"] !== key) return undefined;
  await work.again(attempt);
  return found;
}

/** The values are those that it has. */
function guardOf({ id, _etag: etag, key }: Stored): Guard {
  return { id, etag, values: { key } };
}

const PRUNED = `SELECT c.id, c.type, c.eventId, c._etag FROM c
  WHERE c.type IN ('history', 'execution') AND ARRAY_CONTAINS(@executions, c.executionId)`;

interface Pruned extends Listable {
  readonly type: string;
  /** Id of an event. */
  readonly eventId?: number;
}

async function deletePruned(work: Work, intent: Stored): Promise<number> {
  const partition = String(intent["instanceId"]);
  let eventsDeleted = 0;
  let current: Stored | undefined = intent;
  for (let attempt = 1; current !== undefined; attempt++) {
    const guard = guardOf(current);
    const listed = await work.queryInPages<Pruned>(partition, PRUNED, {
      "@executions": intent["executionIds"] as number[],
    });
    const documents = listed.results.toSorted(recordsLast);
    const areAll = isWhole(listed, attempt);
    const { documents: deleted, isDone } = await deleteWithGuard(work, partition, guard, documents, areAll);
    eventsDeleted += deleted.filter(({ type }) => type === "history").length;
    if (isDone === true) return eventsDeleted;
    current = await readAgain(work, intent, attempt);
  }
  return eventsDeleted;
}

/** The first event of an execution shows that it exists, and comes after the others; then its record. */
function recordsLast(a: Pruned, b: Pruned): number {
  return (b.eventId ?? 0) - (a.eventId ?? 0);
}
