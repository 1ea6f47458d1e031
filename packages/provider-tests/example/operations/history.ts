/** Executions and their events (§9). */
import { type HistoryEvent, ProviderError } from "@duroxide-ts/core";
import { toPositiveId } from "@duroxide-ts/core/stores";
import { requireCount } from "../input.ts";
import type { Execution, Moment, Tables } from "../tables.ts";
import { decodeEvents, newEvents } from "../texts.ts";

/** The latest one. */
export function currentExecution(tables: Tables, instanceId: string): Execution | undefined {
  return tables.executions.get(instanceId)?.at(-1);
}

export function findExecution(
  tables: Tables,
  instanceId: string,
  executionId: number,
): Execution | undefined {
  return tables.executions.get(instanceId)?.find(({ id }) => id === executionId);
}

/** The execution, which begins here where it does not exist yet. */
export function executionOf({ tables, nowMs }: Moment, instanceId: string, id: number): Execution {
  const found = findExecution(tables, instanceId, id);
  if (found !== undefined) return found;
  const begun: Execution = {
    id,
    status: "Running",
    output: null,
    pinnedVersion: undefined,
    startedAtMs: nowMs,
    completedAtMs: undefined,
    events: new Map(),
  };
  const all = [...(tables.executions.get(instanceId) ?? []), begun];
  tables.executions.set(
    instanceId,
    all.sort((a, b) => a.id - b.id),
  );
  return begun;
}

export function readHistory(
  { tables }: Moment,
  instanceId: string,
  executionId: number | undefined,
): readonly HistoryEvent[] {
  const execution =
    executionId === undefined
      ? currentExecution(tables, instanceId)
      : findExecution(tables, instanceId, toPositiveId("readHistory", "executionId", executionId));
  try {
    return decodeEvents(execution?.events ?? new Map());
  } catch (cause) {
    const message = `the history of ${JSON.stringify(instanceId)} cannot be decoded: ${String(cause)}`;
    throw new ProviderError({ code: "corrupt-data", operation: "readHistory", message, cause });
  }
}

export function appendHistory(
  moment: Moment,
  instanceId: string,
  executionId: number,
  events: readonly HistoryEvent[],
): void {
  requireCount("appendHistory", "executionId", executionId, 1);
  const stored = findExecution(moment.tables, instanceId, executionId)?.events ?? new Map();
  const added = newEvents("appendHistory", executionId, stored, events);
  const execution = executionOf(moment, instanceId, executionId);
  for (const [id, text] of added) execution.events.set(id, text);
}
