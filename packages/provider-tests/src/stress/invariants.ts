/** The invariants of an idle store, after any load. */
import { type HistoryEvent, isTerminal, type Provider } from "@duroxide-ts/core/stores";
import { raised, turnOf } from "../messages.ts";

/** Every instance of the run, children included. */
export async function checkHistories(
  provider: Provider,
  instanceIds: readonly string[],
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const instanceId of instanceIds) {
    const history = await provider.readHistory(instanceId);
    violations.push(...violationsIn(instanceId, history));
    violations.push(...(await checkHistories(provider, childrenIn(instanceId, history))));
  }
  return violations;
}

/** Returns the ids of children. History has only the suffix of a generated one. */
function childrenIn(parentId: string, history: readonly HistoryEvent[]): readonly string[] {
  return history.flatMap((event) => {
    if (event.type !== "SubOrchestrationScheduled") return [];
    return event.instance.startsWith("sub::") ? [`${parentId}::${event.instance}`] : [event.instance];
  });
}

const ANSWERS: ReadonlySet<HistoryEvent["type"]> = new Set([
  "ActivityCompleted",
  "ActivityFailed",
  "SubOrchestrationCompleted",
  "SubOrchestrationFailed",
]);

/** Checks that it ended once, and that each of its calls was answered once. */
function violationsIn(instanceId: string, history: readonly HistoryEvent[]): readonly string[] {
  const ends = history.filter(isTerminal).length;
  const answered = history
    .filter(({ type }) => ANSWERS.has(type))
    .map(({ source_event_id }) => source_event_id);
  const asked = history.filter(
    ({ type }) => type === "ActivityScheduled" || type === "SubOrchestrationScheduled",
  );
  const wrong = asked.flatMap(({ event_id, type }) => {
    const answers = answered.filter((id) => id === event_id).length;
    return answers === 1
      ? []
      : [`${instanceId}: event ${event_id}, ${type}, has ${answers} answers in its history`];
  });
  const unasked = answered.length - asked.length;
  return [
    ...(ends === 1 ? [] : [`${instanceId}: ended ${ends} times`]),
    ...wrong,
    ...(wrong.length === 0 && unasked > 0 ? [`${instanceId}: ${unasked} answers without a call`] : []),
  ];
}

const LOCK_MS = 5_000;
const FETCH = { lockTimeoutMs: LOCK_MS, pollTimeoutMs: 0 };

/** Checks that the queues are empty. Releases all rows that it finds. */
export async function checkQueues(provider: Provider): Promise<readonly string[]> {
  const violations: string[] = [];
  const fetched = await provider.fetchOrchestrationItem(FETCH);
  if (fetched !== undefined) {
    const kinds = fetched.item.messages.map(({ kind }) => kind).join(", ");
    violations.push(`left over in the orchestrator queue: ${kinds} for ${fetched.item.instanceId}`);
    await provider.abandonOrchestrationItem(fetched.lockToken);
  }
  const work = await provider.fetchWorkItem({ ...FETCH, tagFilter: { kind: "any" } });
  if (work !== undefined) {
    violations.push(`left over in the worker queue: activity ${work.item.id} of ${work.item.instance}`);
    await provider.abandonWorkItem(work.lockToken);
  }
  const depths = await provider.admin.getQueueDepths();
  for (const [queue, depth] of Object.entries(depths ?? {})) {
    if (depth > 0) violations.push(`left over by the count of the store: ${queue} ${depth}`);
  }
  return violations;
}

/** Every instance can be locked at once, so no lock was left. The message that shows it is drained. */
export async function checkLocks(
  provider: Provider,
  instanceIds: readonly string[],
): Promise<readonly string[]> {
  const waiting = new Set(instanceIds);
  for (const id of instanceIds) await provider.enqueueForOrchestrator(raised(id, "are you free?"));
  for (;;) {
    const fetched = await provider.fetchOrchestrationItem(FETCH);
    if (fetched === undefined) break;
    waiting.delete(fetched.item.instanceId);
    await provider.ackOrchestrationItem(turnOf(fetched));
  }
  return [...waiting].map((id) => `${id} is still locked`);
}
