/**
 * The reports of worker processes: one document each, in one partition. A document has two indexed values, and the
 * service deletes it two minutes after the last report. `seenAt` is for containers without time to live.
 */
import { readWorker, WORKER_LISTED_MS, type Worker, type WorkerReport } from "@duroxide-ts/core/stores";
import type { Body } from "../../documents/body.ts";
import { WORKERS_PARTITION, workerDocumentId, workerOf } from "../../documents/ids.ts";
import { ADMIN_TIMEOUT_MS, WORKER_PATIENCE_MS } from "../../memory/waits.ts";
import type { Service } from "../../service/service.ts";

const QUERY = "SELECT c.id, c.report, c.seenAt FROM c WHERE c.type = 'worker'";

interface Reported {
  readonly id: string;
  readonly report: unknown;
  readonly seenAt: number;
}

export async function listWorkers(service: Service): Promise<readonly Worker[]> {
  const call = service.call("listWorkers", ADMIN_TIMEOUT_MS);
  const since = service.clock.now() - WORKER_LISTED_MS;
  const found = await call.query<Reported>(WORKERS_PARTITION, { query: QUERY });
  return found
    .filter(({ seenAt }) => seenAt > since)
    .map(({ id, report, seenAt }) => readWorker(workerOf(id), report, seenAt))
    .sort((a, b) => (a.workerId < b.workerId ? -1 : 1));
}

/** A missing document, where there is no report, is an outcome of the batch, not an error. */
export async function reportWorker(
  service: Service,
  workerId: string,
  report: WorkerReport | undefined,
): Promise<void> {
  const call = service.call("reportWorker", WORKER_PATIENCE_MS);
  const id = workerDocumentId(workerId);
  const body: Body = {
    id,
    instanceId: WORKERS_PARTITION,
    type: "worker",
    seenAt: service.clock.now(),
    report: { workerId, ...report },
    ttl: WORKER_LISTED_MS / 1_000,
  };
  await call.batch(WORKERS_PARTITION, [
    report === undefined ? { kind: "delete", id } : { kind: "upsert", body },
  ]);
}
