/** Checks that an operator's call begins one execution at most, and a refused one begins none. */
import type { HistoryEvent } from "@duroxide-ts/core";

/** Verbs that begin an execution, as the first event of the execution names them. */
const BEGINNINGS = ["retry", "rewind", "restart"] as const;
export type Beginning = (typeof BEGINNINGS)[number];

/** `calls`: how many calls of each verb were not refused. Executions that were pruned are not seen. */
export function begunTooOften(
  instanceId: string,
  calls: ReadonlyMap<Beginning, number>,
  histories: ReadonlyMap<string, readonly HistoryEvent[]>,
): readonly string[] {
  const verbs = [...histories]
    .filter(([key]) => key.startsWith(`${instanceId}#`))
    .map(([, [first]]) => (first?.type === "OrchestrationStarted" ? first.revision?.verb : undefined));
  return BEGINNINGS.flatMap((verb) => {
    const most = calls.get(verb) ?? 0;
    const begun = verbs.filter((each) => each === verb).length;
    return begun > most
      ? [`${instanceId}: ${begun} executions were begun by ${most} calls of ${verb} that were not refused`]
      : [];
  });
}
