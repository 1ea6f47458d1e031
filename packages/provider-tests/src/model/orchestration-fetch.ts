/** The instances that a fetch may lock, and the messages that it takes (docs/reference/provider-contract.md §6). */
import { isDeepStrictEqual } from "node:util";
import {
  type FetchedOrchestration,
  type FetchOrchestrationOptions,
  inRange,
  type OrchestrationItem,
  type OrchestratorItem,
  type VersionRange,
} from "@duroxide-ts/core/stores";
import { blockedInstance, complainOfBlock } from "./blocked.ts";
import { allows, Complaint, difference, type Expectation } from "./expectation.ts";
import { changeMessages } from "./orchestrator-queue.ts";
import {
  currentId,
  currentOf,
  type Instance,
  instanceOf,
  isHeld,
  type Message,
  type State,
  withInstance,
} from "./state.ts";

/** A fetch returns any eligible instance with all of its visible messages, and changes nothing else. */
export function fetchOrchestrationItem(state: State, options: FetchOrchestrationOptions): Expectation {
  const candidates = candidatesOf(state, options.supportedVersions);
  const eligible = candidates.filter((id) => hasContext(state, id));
  const strays = new Set(candidates.filter((id) => !hasContext(state, id)));
  const wanted = eligible.length === 0 ? "nothing" : `one of ${eligible.join(", ")}`;
  return allows<FetchedOrchestration | undefined>(wanted, (fetched) => {
    if (fetched === undefined) {
      return eligible.length === 0 ? withoutEarlyMessages(state, strays) : new Complaint(wanted);
    }
    const { instanceId, messages } = fetched.item;
    const batch = takenOf(state, instanceId, messages);
    if (!eligible.includes(instanceId)) return new Complaint(wanted);
    if (batch === undefined) return new Complaint(describeBatch(visible(state, instanceId)));
    const complaint = examine(state, fetched, batch, options.heldHistory?.(instanceId));
    return complaint ?? lock(passOver(state, strays), fetched, batch, state.nowMs + options.lockTimeoutMs);
  });
}

/** Whether a fetch without a filter must find something. */
export function hasEligible(state: State): boolean {
  return candidatesOf(state, undefined).some((id) => hasContext(state, id));
}

function candidatesOf(state: State, supported: readonly VersionRange[] | undefined): readonly string[] {
  const ids = [...new Set(visible(state).map(({ instanceId }) => instanceId))];
  return ids.filter((id) => !isHeld(instanceOf(state, id).lock, state) && isSupported(state, id, supported));
}

/** Includes the batch of a blocked instance, if one is given. By order time; equal times in queue order. */
function visible({ messages, nowMs, instances }: State, instanceId?: string): readonly Message[] {
  const batch = instanceId === undefined ? undefined : instances.get(instanceId)?.block?.batch;
  const due = messages
    .filter(({ visibleAtMs, tag }) => visibleAtMs <= nowMs || (batch !== undefined && tag === batch))
    .sort((a, b) => a.orderAtMs - b.orderAtMs);
  return instanceId === undefined ? due : due.filter((message) => message.instanceId === instanceId);
}

function isSupported(state: State, id: string, supported: readonly VersionRange[] | undefined): boolean {
  if (supported === undefined) return true;
  if (supported.length === 0) return false;
  const pinned = currentOf(instanceOf(state, id))?.pinnedVersion;
  return pinned === undefined || supported.some((range) => inRange(pinned, range));
}

/** Whether the orchestration of the batch is known: from the instance, its history, or a start. */
function hasContext(state: State, id: string): boolean {
  const instance = instanceOf(state, id);
  const hasHistory = (currentOf(instance)?.events.length ?? 0) > 0;
  return instance.identity !== undefined || hasHistory || startIn(visible(state, id)) !== undefined;
}

type Start = Extract<OrchestratorItem, { kind: "StartOrchestration" | "ContinueAsNew" }>;

function startIn(messages: readonly Message[]): Start | undefined {
  const starts = messages.map(({ item }) => item);
  return starts.find((item) => item.kind === "StartOrchestration" || item.kind === "ContinueAsNew");
}

/** A fetch without a result has visited all instances, so early messages that cannot wait for a start are deleted. */
function withoutEarlyMessages(state: State, strays: ReadonlySet<string>): State {
  if (strays.size === 0) return state;
  const onlyQueued = [...strays].filter(
    (id) =>
      visible(state, id).every(({ item }) => item.kind === "QueueMessage") &&
      startIn(state.messages.filter(({ instanceId }) => instanceId === id)) === undefined,
  );
  const isEarly = (message: Message): boolean =>
    message.visibleAtMs <= state.nowMs && onlyQueued.includes(message.instanceId);
  const messages = state.messages.filter((message) => !isEarly(message));
  return passOver({ ...state, messages }, strays);
}

function passOver(state: State, strays: ReadonlySet<string>): State {
  if (strays.size === 0) return state;
  const isMet = (message: Message): boolean =>
    message.visibleAtMs <= state.nowMs && strays.has(message.instanceId);
  return changeMessages(state, isMet, () => ({ passedOver: true }));
}

/** The rows that the store returned; `undefined` if one is missing or extra, or the order is wrong. */
function takenOf(
  state: State,
  instanceId: string,
  returned: readonly OrchestratorItem[],
): readonly Message[] | undefined {
  const mayBePart =
    state.batches === "completions-first" && state.instances.get(instanceId)?.block === undefined;
  const isPart = mayBePart && returned.every(isCompletion);
  const taken: Message[] = [];
  for (const row of visible(state, instanceId)) {
    if (isDeepStrictEqual(row.item, returned[taken.length])) taken.push(row);
    else if (!row.passedOver && !isPart) return undefined;
  }
  return taken.length === returned.length && taken.length > 0 ? taken : undefined;
}

/** Whether its position among other messages does not matter. */
function isCompletion({ kind }: OrchestratorItem): boolean {
  return COMPLETIONS.includes(kind);
}

const COMPLETIONS: readonly OrchestratorItem["kind"][] = [
  "ActivityCompleted",
  "ActivityFailed",
  "ContinueAsNew",
  "SubOrchCompleted",
  "SubOrchFailed",
];

function describeBatch(rows: readonly Message[]): string {
  return `messages: ${rows.map(({ item, passedOver }) => `${passedOver ? "perhaps " : ""}${JSON.stringify(item)}`).join(", ")}`;
}

function examine(
  state: State,
  { item, lockToken, attemptCount, loneRuns = 0, blocked }: FetchedOrchestration,
  batch: readonly Message[],
  heldTag: string | undefined,
): Complaint | undefined {
  const instance = instanceOf(state, item.instanceId);
  if (lockToken === "" || state.tokens.has(lockToken)) return new Complaint("a lock token of its own");
  const attempts = Math.max(...batch.map((message) => message.attempts)) + 1;
  if (attemptCount !== attempts) return new Complaint(`attempt ${attempts}`);
  const marked = Math.max(0, ...batch.map((message) => message.loneRuns));
  if (loneRuns !== marked) return new Complaint(`loneRuns: ${marked}`);
  const ofBlock = complainOfBlock(blocked, blockedInstance(item.instanceId, instance));
  if (ofBlock !== undefined) return ofBlock;
  const mayOmit = heldTag !== undefined && heldTag === instance.historyTag;
  const omits = mayOmit && item.historyOmitted === true;
  const wrong = difference(item, { ...itemOf(item.instanceId, instance, batch, omits) });
  return wrong === undefined ? undefined : new Complaint(wrong);
}

function itemOf(
  instanceId: string,
  instance: Instance,
  batch: readonly Message[],
  omits: boolean,
): OrchestrationItem {
  return {
    instanceId,
    ...nameOf(instance, batch),
    executionId: Math.max(1, currentId(instance)),
    messages: batch.map(({ item }) => item),
    history: omits ? [] : (currentOf(instance)?.events ?? []),
    kvSnapshot: omits ? new Map() : instance.kv,
    ...(omits && { historyOmitted: true }),
  };
}

/** Returns the name from the instance, else from its history, else from the start. */
function nameOf(
  instance: Instance,
  batch: readonly Message[],
): Pick<OrchestrationItem, "orchestrationName" | "version"> {
  const { identity } = instance;
  if (identity !== undefined) return { orchestrationName: identity.name, version: identity.version };
  const first = currentOf(instance)?.events[0];
  if (first?.type === "OrchestrationStarted") {
    return { orchestrationName: first.name, version: first.version };
  }
  const start = startIn(batch);
  return { orchestrationName: start?.orchestration ?? "unknown", version: start?.version ?? "unknown" };
}

function lock(
  state: State,
  { item, lockToken: token }: FetchedOrchestration,
  batch: readonly Message[],
  untilMs: number,
): State {
  const taken = new Set(batch);
  // A message that a fetch found before the start is in the first batch after the start, or was dropped.
  const isDropped = (row: Message): boolean =>
    row.instanceId === item.instanceId &&
    row.passedOver &&
    !taken.has(row) &&
    row.item.kind === "QueueMessage";
  const tagged = changeMessages(
    { ...state, messages: state.messages.filter((row) => !isDropped(row)) },
    (row) => taken.has(row),
    ({ attempts, visibleAtMs }) => ({
      tag: token,
      attempts: attempts + 1,
      visibleAtMs: Math.min(visibleAtMs, state.nowMs),
      passedOver: false,
    }),
  );
  const locked = withInstance(tagged, item.instanceId, { lock: { token, untilMs } });
  return { ...locked, tokens: new Set([...state.tokens, token]) };
}
