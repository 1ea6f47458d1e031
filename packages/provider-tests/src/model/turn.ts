/** The commit of a turn: all of it or nothing (docs/reference/provider-contract.md §7, §13, §14). */
import {
  type AckedOrchestration,
  dueMsOf,
  type HistoryEvent,
  type KvEntry,
  type OrchestrationAck,
  type ProviderErrorCode,
  type TurnContent,
  timerIdOf,
  timerKey,
} from "@duroxide-ts/core/stores";
import { withActivities, withoutActivities } from "./activities.ts";
import { allows, type Expectation, refuses } from "./expectation.ts";
import { lockedBy, withMessages } from "./orchestrator-queue.ts";
import {
  type Execution,
  type Instance,
  instanceOf,
  isHeld,
  type Message,
  type State,
  withEntry,
  withInstance,
} from "./state.ts";

export function ackOrchestrationItem(state: State, ack: OrchestrationAck): Expectation {
  const id = lockedBy(state, ack.lockToken);
  const refusals = refusalsOf(state, id, ack);
  if (id === undefined || refusals.length > 0) return refuses(...refusals);
  const consumed = { ...state, messages: state.messages.filter(({ tag }) => tag !== ack.lockToken) };
  return allows<AckedOrchestration>("a commit", ({ historyTag }) =>
    commitTurn(consumed, id, ack, historyTag),
  );
}

function refusalsOf(
  state: State,
  id: string | undefined,
  ack: OrchestrationAck,
): readonly ProviderErrorCode[] {
  const instance = id === undefined ? undefined : instanceOf(state, id);
  return [
    ...(isHeld(instance?.lock, state) ? [] : (["lock-lost"] as const)),
    ...refusalsOfContent(instance, ack),
  ];
}

/** Why the turn itself cannot be stored. */
export function refusalsOfContent(
  instance: Instance | undefined,
  ack: TurnContent,
): readonly ProviderErrorCode[] {
  const ids = ack.historyDelta.map(({ event_id }) => Number(event_id));
  const stored = instance?.executions.get(ack.executionId)?.events ?? [];
  const all = [...stored.map(({ event_id }) => Number(event_id)), ...ids];
  const reasons: ProviderErrorCode[] = [];
  if (new Set(all).size < all.length) reasons.push("duplicate-event");
  if (ids.includes(0)) reasons.push("invalid-input");
  return reasons;
}

/**
 * Commits in this order: what is both scheduled and cancelled is never seen, and what the turn sends comes after the
 * rest.
 */
export function commitTurn(
  state: State,
  id: string,
  ack: TurnContent,
  historyTag: string | undefined,
): State {
  const named = nameInstance(state, id, ack);
  const before = instanceOf(named, id);
  const stored = withInstance(named, id, {
    lock: undefined,
    block: undefined,
    historyTag,
    executions: withEntry(before.executions, ack.executionId, executionAfter(before, ack, state.nowMs)),
    customStatus: customStatusAfter(before, ack.historyDelta),
    ...kvAfter(before, ack),
  });
  const scheduled = withoutActivities(withActivities(stored, ack.workerItems), ack.cancelledActivities);
  const returned = withReturned(withoutTimers(scheduled, id, ack), ack);
  return withMessages(returned, ack.orchestratorItems, (item) => dueMsOf(item) ?? state.nowMs);
}

function withoutTimers(state: State, id: string, { droppedTimers = [] }: TurnContent): State {
  const keys = new Set(droppedTimers.map(timerKey));
  const isDropped = ({ instanceId, item }: Message): boolean => {
    const timer = timerIdOf(item);
    return instanceId === id && timer !== undefined && keys.has(timerKey(timer));
  };
  return { ...state, messages: state.messages.filter((message) => !isDropped(message)) };
}

/** Before everything else, and what a later execution returned before what an earlier one did (§7.1). */
function withReturned(state: State, { returnedMessages = [], executionId }: TurnContent): State {
  const queued = withMessages(state, returnedMessages, () => state.nowMs).messages;
  const isNew = (_: unknown, index: number): boolean => index >= state.messages.length;
  const returned = queued.filter(isNew).map((message) => ({ ...message, orderAtMs: -executionId }));
  return { ...state, messages: [...state.messages, ...returned] };
}

/** An instance exists from the turn on that gives it a name and a version. Its parent never changes. */
function nameInstance(state: State, id: string, { metadata }: TurnContent): State {
  const { orchestrationName: name, orchestrationVersion: version, parentInstanceId: parentId } = metadata;
  if (name === undefined || version === undefined) return state;
  const known = instanceOf(state, id).identity;
  if (known !== undefined) return withInstance(state, id, { identity: { ...known, name, version } });
  return withInstance(state, id, { identity: { name, version, parentId } });
}

/** A new execution runs, whatever became of the last; status, output and pin are changed only where given. */
function executionAfter({ executions }: Instance, ack: TurnContent, nowMs: number): Execution {
  const { metadata, historyDelta } = ack;
  const before = executions.get(ack.executionId) ?? NEW_EXECUTION;
  const events = [...before.events, ...historyDelta].sort((a, b) => Number(a.event_id) - Number(b.event_id));
  const pinnedVersion = metadata.pinnedVersion ?? before.pinnedVersion;
  if (metadata.status === undefined) return { ...before, events, pinnedVersion };
  const failure = historyDelta.findLast((event) => event.type === "OrchestrationFailed")?.details;
  const { status, output = null } = metadata;
  return { events, pinnedVersion, status, output, failure, completedAtMs: nowMs };
}

const NEW_EXECUTION: Execution = {
  status: "Running",
  output: null,
  failure: undefined,
  pinnedVersion: undefined,
  completedAtMs: undefined,
  events: [],
};

/** The last change counts, and the version grows by one however many there are. */
function customStatusAfter(
  { customStatus }: Instance,
  delta: readonly HistoryEvent[],
): Instance["customStatus"] {
  const last = delta.findLast((event) => event.type === "CustomStatusUpdated");
  return last === undefined ? customStatus : { status: last.status, version: customStatus.version + 1 };
}

/** A turn changes the upper layer; the end of an execution merges it into the lower one. */
function kvAfter(before: Instance, ack: TurnContent): Pick<Instance, "kv" | "kvChanges"> {
  const changes = new Map(before.kvChanges);
  for (const event of ack.historyDelta) {
    if (event.type === "KeyValueSet") changes.set(event.key, entryOf(event));
    if (event.type === "KeyValueCleared") changes.set(event.key, undefined);
    if (event.type === "KeyValuesCleared") {
      for (const key of [...before.kv.keys(), ...changes.keys()]) changes.set(key, undefined);
    }
  }
  if (ack.metadata.status === undefined) return { kv: before.kv, kvChanges: changes };
  return { kv: liveKv({ kv: before.kv, kvChanges: changes }), kvChanges: new Map() };
}

function entryOf(event: Extract<HistoryEvent, { type: "KeyValueSet" }>): KvEntry {
  return { value: event.value, lastUpdatedAtMs: Number(event.last_updated_at_ms) };
}

/** Both layers as one. */
export function liveKv({ kv, kvChanges }: Pick<Instance, "kv" | "kvChanges">): ReadonlyMap<string, KvEntry> {
  const merged = new Map([...kv, ...kvChanges]);
  return new Map([...merged].flatMap(([key, entry]) => (entry === undefined ? [] : [[key, entry] as const])));
}
