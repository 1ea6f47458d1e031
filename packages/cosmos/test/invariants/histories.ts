/** Checks what must hold of every stored history, whichever process wrote it and however often it was interrupted. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { decodeEvent, isTerminal } from "@duroxide-ts/core/stores";
import { violationsInHistory } from "../../../../test/support/history-invariants.ts";
import type { Document } from "./documents.ts";

/** The stored events of each execution, by `<instance>#<execution>`, in their order. */
export function historiesOf(documents: readonly Document[]): ReadonlyMap<string, readonly HistoryEvent[]> {
  const rows = documents
    .filter(({ type }) => type === "history")
    .toSorted((a, b) => Number(a["eventId"]) - Number(b["eventId"]));
  const executions = Map.groupBy(rows, ({ instanceId, executionId }) => `${instanceId}#${executionId}`);
  return new Map(
    [...executions].map(([key, events]) => [
      key,
      events.map(({ eventData }) => decodeEvent(String(eventData))),
    ]),
  );
}

export function violationsIn(documents: readonly Document[]): readonly string[] {
  const histories = historiesOf(documents);
  return [
    ...[...histories].flatMap(([key, events]) => violationsInHistory(key, events)),
    ...documents.filter(({ type }) => type === "instance").flatMap((each) => pointer(each, histories)),
  ];
}

/** The instance document says of its execution what the history says. */
function pointer(
  { instanceId, currentExecutionId, status }: Document,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  const key = `${instanceId}#${currentExecutionId}`;
  const last = histories.get(key)?.findLast(isTerminal);
  const expected = last === undefined ? "Running" : last.type.slice("Orchestration".length);
  return status === expected ? [] : [`${key}: its status is ${status}, its history says ${expected}`];
}
