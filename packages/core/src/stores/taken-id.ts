/** The instance that has the id of a start. */
import type { TakenId } from "../contract/provider.ts";
import type { OrchestratorItem } from "../wire/work-item.ts";

/** Whether the id of the start is that of an instance of another orchestration. */
export function isOfAnother({ orchestration }: TakenId, start: OrchestratorItem): boolean {
  return start.kind === "StartOrchestration" && start.orchestration.toWellFormed() !== orchestration;
}

/** The status of the instance from that of its current execution. */
export function takenStatus(status: string): TakenId["status"] {
  return status === "Completed" || status === "Failed" ? status : "Running";
}
