/** Names the execution that a commit belongs to, for metrics, spans and logs. */
import type { FetchedOrchestration } from "../../contract/provider.ts";
import type { ObservedExecution } from "../../observe/execution.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import type { PoisonedTurn } from "../trouble/poison.ts";
import type { RuntimeParts } from "./parts.ts";
import type { RunnableTurn } from "./turn-to-run.ts";

/** Describes the execution before the turn runs: the turn adds events to the index. */
export function executionOfTurn(
  { fetched, batch, index, program: { name, version } }: RunnableTurn,
  executionId: number,
): ObservedExecution {
  const { start } = batch;
  const { instanceId } = fetched.item;
  return { instanceId, executionId, name, version, start, ...before(index, start !== undefined) };
}

export function observePoison(
  { stamps, settings: { observer } }: RuntimeParts,
  { item }: FetchedOrchestration,
  index: HistoryIndex,
  { ack, details }: PoisonedTurn,
): void {
  const [first] = ack.historyDelta;
  const started = first?.type === "OrchestrationStarted" ? first : index.started;
  const { instanceId, orchestrationName, version, history } = item;
  const execution: ObservedExecution = {
    instanceId,
    executionId: ack.executionId,
    name: started?.name ?? orchestrationName,
    version: started?.version ?? version,
    start: undefined,
    ...before(index, first?.type === "OrchestrationStarted"),
  };
  observer.poisonedOrchestration();
  observer.turnCommitted(stamps.of(execution, index, history), ack, { kind: "failed", details });
}

/** The state before a commit, which may begin a new execution. */
function before(index: HistoryIndex, begins: boolean): Pick<ObservedExecution, "started" | "eventsBefore"> {
  if (begins) return { started: undefined, eventsBefore: 0 };
  return { started: index.started, eventsBefore: index.eventCount };
}
