/** Replays the history of a running execution, to find the open waits of its code. */
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import type { OrchestrationRegistry } from "../../runtime/registry.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { CarriedKv } from "./carried-kv.ts";
import { followHistory } from "./follow-history.ts";
import { storedExecutions } from "./stored-executions.ts";
import { trace } from "./trace.ts";
import type { TracedCall } from "./traced-execution.ts";

export interface TracedStandstill {
  /** The events of the latest execution. */
  readonly events: readonly HistoryEvent[];
  readonly awaited: readonly TracedCall[];
  /** Why the code cannot be replayed. */
  readonly problem?: string;
}

/** `history` has all executions of one instance. */
export async function runsToStandstill(
  history: readonly HistoryEvent[],
  { registry, codec }: { readonly registry: OrchestrationRegistry; readonly codec: PayloadCodec },
): Promise<TracedStandstill> {
  const executions = storedExecutions(history);
  const last = executions.at(-1);
  if (last === undefined) return { events: [], awaited: [], problem: "it has no history" };
  const carried = new CarriedKv();
  const [kv = new Map()] = executions.map((each) => carried.before(each)).slice(-1);
  try {
    const execution = trace(last, registry, { codec }, kv);
    const terminal = await followHistory(execution, last.events);
    const { awaited } = execution;
    execution.live.dispose();
    if (terminal === undefined) return { events: last.events, awaited };
    return {
      events: last.events,
      awaited: [],
      problem: "its next execution: no orchestration of that name and version is registered here",
    };
  } catch (error) {
    return { events: last.events, awaited: [], problem: (error as Error).message };
  }
}
