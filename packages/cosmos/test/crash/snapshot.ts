/**
 * Snapshots of what a container shows to its clients, without what differs from run to run: ids, times, the order of
 * arrivals.
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import type { Document } from "../invariants/documents.ts";
import { historiesOf } from "../invariants/histories.ts";

export type Snapshot = Readonly<Record<string, readonly string[]>>;

/** Returns the lines of each execution and instance, in a fixed order. */
export function snapshotOf(documents: readonly Document[]): Snapshot {
  const histories = [...historiesOf(documents)].map(([key, events]) => [key, events.map(wordsFor)] as const);
  const instances = documents.filter(({ type }) => type === "instance").map(instanceIn);
  const others = Map.groupBy(
    documents.filter(({ type }) => COUNTED.has(type)),
    ({ instanceId, type }) => `${instanceId}, ${type}`,
  );
  const counts = [...others].map(
    ([key, rows]) => [key, rows.map(({ key: name, id }) => String(name ?? id))] as const,
  );
  const entries = [...histories, ...instances, ...counts].map(
    ([key, lines]) => [key, lines.toSorted()] as const,
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const COUNTED: ReadonlySet<string> = new Set(["kv", "kv_delta", "execution", "dead_letter"]);

function instanceIn({
  instanceId,
  status,
  output,
  currentExecutionId,
  parentInstanceId,
}: Document): readonly [string, readonly string[]] {
  return [instanceId, [`execution ${currentExecutionId} ${status} ${output}, child of ${parentInstanceId}`]];
}

function wordsFor(event: HistoryEvent): string {
  switch (event.type) {
    case "ExternalEvent":
    case "ActivityScheduled":
      return `${event.type} ${event.name}`;
    case "ActivityCompleted":
    case "SubOrchestrationCompleted":
      return `${event.type} ${event.result}`;
    case "SubOrchestrationScheduled":
      return `${event.type} ${event.instance}`;
    case "KeyValueSet":
      return `${event.type} ${event.key}`;
    default:
      return event.type;
  }
}

/** Describes where two of them differ. */
export function differences(expected: Snapshot, actual: Snapshot): readonly string[] {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) => {
    const missing = without(expected[key] ?? [], actual[key] ?? []);
    const added = without(actual[key] ?? [], expected[key] ?? []);
    return [
      ...missing.map((line) => `lost from ${key}: ${line}`),
      ...added.map((line) => `too much in ${key}: ${line}`),
    ];
  });
}

/** Each of `lines` that has no counterpart among `others`. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
