/**
 * Checks that what a store shows of an instance follows from its histories, at every instant and whatever happened
 * before: in every life of an id, after every verb, between any two steps of a program.
 *
 * - shown.S1: The status, the execution, the output and the tags are those of the newest history.
 * - shown.S2: The custom status is the last one that a history of this life has; so there is none before the first.
 * - shown.S3: The entries are those with which the newest execution began, and its changes since. It begins with those
 *   of the execution before; where an operator has begun it, with those of the execution that it repeats; after a
 *   restart with none.
 * - shown.S4: An execution whose history is stored is listed, with the status that its history has.
 * - shown.S5: Of an instance whose first execution was pruned, only shown.S1 and shown.S4 are known.
 */
import type { HistoryEvent, Tags } from "@duroxide-ts/core";
import { displayMessage, shownTags, tagsOfHistory } from "@duroxide-ts/core/stores";
import type { ShownInstance, Stored } from "../store/simulated-store.ts";
import { endOf } from "./histories.ts";

type Entries = ReadonlyMap<string, string>;

interface Expected {
  readonly executionId: number;
  readonly status: string;
  readonly output: string | null;
  readonly tags: Tags;
  /** Custom statuses by execution. */
  readonly statuses: ReadonlyMap<number, string>;
  /** Undefined where it is not known (shown.S5). */
  readonly ofLife: { readonly customStatus: string | null; readonly entries: Entries } | undefined;
}

/** The histories of an instance by execution, and what follows from them. */
interface Known {
  readonly texts: ReadonlyMap<number, readonly string[]>;
  readonly expected: Expected;
}

export class ShownWatch {
  readonly #onViolation: (violation: string) => void;
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(onViolation: (violation: string) => void) {
    this.#onViolation = onViolation;
  }

  look(stored: Stored): void {
    const texts = new Map<string, Map<number, readonly string[]>>();
    for (const [key, events] of stored.histories) {
      const at = key.lastIndexOf("#");
      const instanceId = key.slice(0, at);
      const executions = texts.get(instanceId) ?? new Map<number, readonly string[]>();
      texts.set(instanceId, executions.set(Number(key.slice(at + 1)), events));
    }
    const known = new Map<string, Known>();
    for (const [instanceId, executions] of texts) {
      const before = this.#known.get(instanceId);
      const isSame = before !== undefined && areSame(before.texts, executions);
      const expected = isSame ? before.expected : expectedOf(executions, (text) => stored.decode(text));
      known.set(instanceId, { texts: executions, expected });
    }
    this.#known = known;
    for (const shown of stored.instances) {
      const expected = known.get(shown.instanceId)?.expected;
      for (const fault of faultsOf(shown, expected)) this.#onViolation(`${shown.instanceId}: ${fault}`);
    }
  }
}

/** Histories only grow, and no stored event changes (history-watch.ts). */
function areSame(before: Known["texts"], now: Known["texts"]): boolean {
  if (before.size !== now.size) return false;
  for (const [executionId, events] of now) {
    const old = before.get(executionId);
    if (old?.length !== events.length || old.at(-1) !== events.at(-1) || old[0] !== events[0]) return false;
  }
  return true;
}

function faultsOf(shown: ShownInstance, expected: Expected | undefined): readonly string[] {
  if (expected === undefined) return ["is shown, and has no history"];
  const { executionId, status, output, customStatus, tags, entries, executions } = shown;
  const { ofLife, statuses } = expected;
  return [
    ...difference("execution", executionId, expected.executionId),
    ...difference("status", status, expected.status),
    ...difference("output", output, expected.output),
    ...difference("tags", textOfTags(shownTags(tags) ?? {}), textOfTags(expected.tags)),
    ...(ofLife === undefined ? [] : difference("custom status", customStatus, ofLife.customStatus)),
    ...(ofLife === undefined ? [] : difference("entries", textOf(entries), textOf(ofLife.entries))),
    ...[...statuses].flatMap(([id, each]) =>
      difference(`status of execution ${id}`, executions.get(id), each),
    ),
  ];
}

function difference(what: string, shown: unknown, expected: unknown): readonly string[] {
  return shown === expected
    ? []
    : [`its ${what} is shown as ${shortened(shown)}, and is ${shortened(expected)} by its history`];
}

function shortened(value: unknown): string {
  return (JSON.stringify(value) ?? "none").slice(0, 100);
}

function textOfTags(tags: Tags): string {
  return JSON.stringify(Object.entries(tags).toSorted());
}

function textOf(entries: Entries): string {
  return entries.size === 0 ? "" : JSON.stringify([...entries].toSorted());
}

function expectedOf(texts: Known["texts"], decode: (text: string) => HistoryEvent): Expected {
  const histories = new Map([...texts].map(([id, each]) => [id, each.map(decode)]));
  const executionId = Math.max(...histories.keys());
  const newest = histories.get(executionId) ?? [];
  return {
    executionId,
    status: endOf(newest) ?? "Running",
    output: outputOf(newest),
    tags: tagsOfHistory(newest),
    statuses: new Map([...histories].map(([id, events]) => [id, endOf(events) ?? "Running"])),
    ofLife: histories.has(1)
      ? { customStatus: customStatusIn(histories), entries: entriesAfter(executionId, histories) }
      : undefined,
  };
}

function outputOf(events: readonly HistoryEvent[]): string | null {
  for (const event of events.toReversed()) {
    if (event.type === "OrchestrationCompleted") return event.output;
    if (event.type === "OrchestrationFailed") return displayMessage(event.details);
    if (event.type === "OrchestrationContinuedAsNew") return event.input;
  }
  return null;
}

type Histories = ReadonlyMap<number, readonly HistoryEvent[]>;

function customStatusIn(histories: Histories): string | null {
  let customStatus: string | null = null;
  for (const [, events] of [...histories].toSorted(([a], [b]) => a - b)) {
    for (const event of events) if (event.type === "CustomStatusUpdated") customStatus = event.status;
  }
  return customStatus;
}

/** shown.S3. */
function entriesBefore(executionId: number, histories: Histories): Entries {
  const [started] = histories.get(executionId) ?? [];
  const revision = started?.type === "OrchestrationStarted" ? started.revision : undefined;
  if (revision?.verb === "restart") return new Map();
  if (revision?.of !== undefined) return entriesBefore(Number(revision.of), histories);
  return executionId === 1 ? new Map() : entriesAfter(executionId - 1, histories);
}

function entriesAfter(executionId: number, histories: Histories): Entries {
  const entries = new Map(entriesBefore(executionId, histories));
  for (const event of histories.get(executionId) ?? []) {
    if (event.type === "KeyValueSet") entries.set(event.key, event.value);
    else if (event.type === "KeyValueCleared") entries.delete(event.key);
    else if (event.type === "KeyValuesCleared") entries.clear();
  }
  return entries;
}
