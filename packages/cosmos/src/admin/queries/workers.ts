/**
 * The reports of worker processes: one document each, in one partition. A document has two indexed values, and the
 * service deletes it two minutes after the last report. `seenAt` is for containers without time to live.
 */
import { readWorker, WORKER_LISTED_MS, type Worker, type WorkerReport } from "@duroxide-ts/core/stores";
import type { Body } from "../../documents/body.ts";
import { WORKERS_PARTITION, workerDocumentId, workerOf } from "../../documents/ids.ts";
import { type Parts, Work } from "../../memory/parts.ts";
import { ADMIN_TIMEOUT_MS, WORKER_PATIENCE_MS } from "../../memory/waits.ts";

const QUERY = "SELECT c.id, c.report, c.seenAt FROM c WHERE c.type = 'worker'";

interface Reported {
  readonly id: string;
  readonly report: unknown;
  readonly seenAt: number;
}

export async function listWorkers(parts: Parts): Promise<readonly Worker[]> {
  const work = new Work(parts, "listWorkers", ADMIN_TIMEOUT_MS);
  const since = parts.clock.now() - WORKER_LISTED_MS;
  const found = await work.query<Reported>(WORKERS_PARTITION, QUERY);
  return found
    .filter(({ seenAt }) => seenAt > since)
    .map(({ id, report, seenAt }) => readWorker(workerOf(id), report, seenAt))
    .sort((a, b) => (a.workerId < b.workerId ? -1 : 1));
}

/** A missing document, where there is no report, is an outcome of the batch, not an error. */
export async function reportWorker(
  parts: Parts,
  workerId: string,
  report: WorkerReport | undefined,
): Promise<void> {
  const work = new Work(parts, "reportWorker", WORKER_PATIENCE_MS);
  const id = workerDocumentId(workerId);
  const body: Body = {
    id,
    instanceId: WORKERS_PARTITION,
    type: "worker",
    seenAt: parts.clock.now(),
    report: { workerId, ...report },
    // For processes of the same machine (free-dead.ts).
    process: parts.service.processes.own(),
    ttl: WORKER_LISTED_MS / 1_000,
  };
  await work.batch(WORKERS_PARTITION, [
    report === undefined ? { kind: "delete", id } : { kind: "upsert", body },
  ]);
}
