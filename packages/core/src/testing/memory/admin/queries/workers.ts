/** The reports of worker processes. Each report removes those that are too old. */
import type { Worker, WorkerReport } from "../../../../contract/queries.ts";
import { WORKER_LISTED_MS } from "../../../../contract/query-arguments.ts";
import type { Store } from "../../store.ts";

export function listWorkers(store: Store): readonly Worker[] {
  const reports = [...store.workers.values()].filter((worker) => !isForgotten(store, worker));
  return reports.sort((a, b) => (a.workerId < b.workerId ? -1 : 1));
}

export function reportWorker(store: Store, report: WorkerReport): void {
  for (const [id, worker] of store.workers) if (isForgotten(store, worker)) store.workers.delete(id);
  store.workers.set(report.workerId, { ...structuredClone(report), lastSeenAtMs: store.clock.now() });
}

export function removeWorker(store: Store, workerId: string): void {
  store.workers.delete(workerId);
}

function isForgotten(store: Store, { lastSeenAtMs }: Worker): boolean {
  return lastSeenAtMs <= store.clock.now() - WORKER_LISTED_MS;
}
