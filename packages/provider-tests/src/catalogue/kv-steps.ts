/** The steps and expectations of the cases about key-value entries. */
import type { HistoryEvent, KvEntry, OrchestrationAck } from "@duroxide-ts/core/stores";
import type { CaseBody } from "../case.ts";
import type { Caller, CaseContext } from "../context.ts";
import { eventOf, raised } from "../messages.ts";
import { ack, complete, continueAsNew, createInstance, mustFetch } from "../steps.ts";

/** Time at which every entry of a case is set: another one than any clock of a case shows. */
const SET_AT_MS = 1_600_000_000_000;

/** An event whose id is known only when its turn is committed. */
type KvChange = (instance: string, eventId: number, executionId: number) => HistoryEvent;

export function set(key: string, value: string): KvChange {
  const payload = { key, value, last_updated_at_ms: SET_AT_MS };
  return (instance, eventId, executionId) => eventOf("KeyValueSet", instance, eventId, payload, executionId);
}

export function clear(key: string): KvChange {
  return (instance, eventId, executionId) =>
    eventOf("KeyValueCleared", instance, eventId, { key }, executionId);
}

export function clearAll(): KvChange {
  return (instance, eventId, executionId) => eventOf("KeyValuesCleared", instance, eventId, {}, executionId);
}

/**
 * A turn of an existing instance that commits these changes, in this order; the execution goes on unless `more` ends
 * it.
 */
export async function changeKv(
  caller: Caller,
  instance: string,
  changes: readonly KvChange[],
  more: Partial<OrchestrationAck> = {},
): Promise<void> {
  await caller.provider.enqueueForOrchestrator(raised(instance, "change"));
  const fetched = await mustFetch(caller);
  const { executionId = fetched.item.executionId } = more;
  // Each execution numbers its events from 1.
  const nextEventId = executionId === fetched.item.executionId ? fetched.item.history.length + 1 : 1;
  const historyDelta = changes.map((change, index) => change(instance, nextEventId + index, executionId));
  await ack(caller, fetched, { historyDelta, ...more });
}

/**
 * Checks that clients read exactly these values, one by one and all together. A key with `undefined` is one that has to
 * be absent.
 */
export async function checkKv(
  { provider, check }: CaseContext,
  instance: string,
  expected: Readonly<Record<string, string | undefined>>,
  when: string,
): Promise<void> {
  for (const [key, value] of Object.entries(expected)) {
    check.equal((await provider.getKvValues(instance, key)).get(key), value, `${when}: the value of ${key}`);
  }
  const present = Object.entries(expected).filter(([, value]) => value !== undefined);
  check.equal<Record<string, string | undefined>>(
    Object.fromEntries(await provider.getKvValues(instance)),
    Object.fromEntries(present),
    `${when}: all values`,
  );
}

/**
 * Checks that the next turn of the instance begins with exactly these values. The turn stays open, so this comes last.
 */
export async function checkSnapshot(
  context: CaseContext,
  instance: string,
  expected: Readonly<Record<string, string>>,
  when: string,
): Promise<void> {
  await context.provider.enqueueForOrchestrator(raised(instance, "look"));
  const { item } = await mustFetch(context);
  const entries = Object.entries(expected).map(([key, value]): [string, KvEntry] => [
    key,
    { value, lastUpdatedAtMs: SET_AT_MS },
  ]);
  context.check.equal(
    Object.fromEntries(item.kvSnapshot),
    Object.fromEntries(entries),
    `${when}: the snapshot`,
  );
}

/** A turn of instance "a" with these changes, or one that ends its execution. */
type KvTurn = readonly KvChange[] | "completes" | "continues";

/** A case about the values that clients read of instance "a" after these turns. */
export function reads(turns: readonly KvTurn[], expected: Parameters<typeof checkKv>[2]): CaseBody {
  return async (context) => {
    await take(context, turns);
    await checkKv(context, "a", expected, "in the end");
  };
}

/** A case about the values with which the turn after these turns of instance "a" begins. */
export function begins(turns: readonly KvTurn[], expected: Parameters<typeof checkSnapshot>[2]): CaseBody {
  return async (context) => {
    await take(context, turns);
    await checkSnapshot(context, "a", expected, "in the end");
  };
}

/** Takes the turns of a new instance "a". */
export async function take(context: CaseContext, turns: readonly KvTurn[]): Promise<void> {
  await createInstance(context, "a");
  let executionId = 1;
  for (const each of turns) {
    if (each === "completes") await complete(context, "a");
    else if (each === "continues") await continueAsNew(context, "a", executionId + 1);
    else await changeKv(context, "a", each, { executionId });
    if (typeof each === "string") executionId++;
  }
}
