/** Queue depths under the names of the page. */
import type { QueueDepths } from "@duroxide-ts/core";
import type { QueueFigures } from "../page/shapes/work.ts";

export function queueFigures({ orchestratorQueue, workerQueue, timerQueue }: QueueDepths): QueueFigures {
  return { orchestrator: orchestratorQueue, worker: workerQueue, later: timerQueue };
}
