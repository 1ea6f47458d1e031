/** A turn that the dispatcher has decided to run. */
import type { FetchedOrchestration } from "../../contract/provider.ts";
import type { Program } from "../../replay/code/program.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import type { ExecutionMemory } from "../../replay/turn-result.ts";
import type { Batch } from "../messages/batch.ts";

export interface TurnToRun extends RunnableTurn {
  readonly fetched: FetchedOrchestration;
}

/** The input of a turn, with or without a lock. */
export interface RunnableTurn {
  readonly fetched: Pick<FetchedOrchestration, "item">;
  readonly batch: Batch;
  readonly index: HistoryIndex;
  /** The memory of the last turn, if no other process has changed the instance since. */
  readonly held: ExecutionMemory | undefined;
  readonly program: Program;
}
