/** The reports of worker processes. Each report removes those that are too old. */
import type { Worker, WorkerReport } from "../../../../contract/queries.ts";
import { WORKER_LISTED_MS } from "../../../../contract/query-arguments.ts";
import type { Store } from "../../store.ts";

export function listWorkers(store: Store): readonly Worker[] {
  const reports = [...store.workers.values()].filter((worker) => !isForgotten(store, worker));
  return reports.sort((a, b) => (a.workerId < b.workerId ? -1 : 1));
}

export function reportWorker(store: Store, workerId: string, report: WorkerReport | undefined): void {
  for (const [id, worker] of store.workers) if (isForgotten(store, worker)) store.workers.delete(id);
  if (report === undefined) store.workers.delete(workerId);
  else store.workers.set(workerId, { workerId, ...structuredClone(report), lastSeenAtMs: store.clock.now() });
}

function isForgotten(store: Store, { lastSeenAtMs }: Worker): boolean {
  return lastSeenAtMs <= store.clock.now() - WORKER_LISTED_MS;
}
