/**
 * Checks that no child outlives the life of its parent. A program that is started over has children with the same ids
 * in each life; the mark in their inputs tells them apart.
 */
import type { HistoryEvent } from "@duroxide-ts/core";
import type { Task } from "../programs/step.ts";

/** Children whose mark none of the stored executions of their parent has drawn. */
export function strayChildren(histories: ReadonlyMap<string, readonly HistoryEvent[]>): readonly string[] {
  const begun = new Set(
    [...histories.values()].flat().flatMap((event) => {
      return event.type === "SubOrchestrationScheduled" ? (markIn(event.input) ?? []) : [];
    }),
  );
  return [...histories].flatMap(([key, [first]]) => {
    const mark = first?.type === "OrchestrationStarted" ? markIn(first.input) : undefined;
    return mark === undefined || begun.has(mark)
      ? []
      : [`${key}: is a child of an earlier life of its parent`];
  });
}

function markIn(input: string): string | undefined {
  return input === "" ? undefined : (JSON.parse(input) as Partial<Task> | null)?.mark;
}
