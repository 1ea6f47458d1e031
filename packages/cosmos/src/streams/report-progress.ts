/** Progress of running activities: a document for each call (docs/reference/provider-contract.md §13.2). */
import {
  attemptNumber,
  type ProgressReport,
  ProviderError,
  type StoredProgress,
} from "@duroxide-ts/core/stores";
import type { Body, Stored } from "../documents/body.ts";
import { progressDocumentId } from "../documents/ids.ts";
import type { Work } from "../memory/parts.ts";
import { rowOf } from "./append-values.ts";

/** The execution is in a field with an index. */
interface ProgressFields extends StoredProgress {
  readonly delivery: string;
  readonly executionId: number;
}

const EARLIER = "SELECT VALUE c.id FROM c WHERE c.type = 'progress' AND c.executionId < @execution";
const ALL = "SELECT * FROM c WHERE c.type = 'progress'";

/** The document is read before, because the process knows only reports of its own: append-values.AV2. */
export async function storeProgress(work: Work, report: ProgressReport): Promise<void> {
  const { executionId, value, writer } = report;
  const { call, name, delivery } = writer;
  const instanceId = report.instanceId.toWellFormed();
  const id = progressDocumentId(instanceId, call);
  for (let tries = 1; ; tries++) {
    const stored = await work.read(instanceId, id);
    const last = stored === undefined ? undefined : fieldsOf(stored);
    const rowId = await rowOf(
      work,
      instanceId,
      writer.lockToken,
      last !== undefined && last.delivery !== delivery,
    );
    const attempt = attemptNumber(writer, last);
    const atMs = work.clock.now();
    const fields: ProgressFields = { call, name, delivery, attempt, executionId, value, atMs };
    const body: Body = { id, instanceId, type: "progress", ...fields };
    const outcome = await work.batch(instanceId, [
      stored === undefined ? { kind: "create", body } : { kind: "replace", id, body, ifMatch: stored._etag },
      { kind: "read", id: rowId },
    ]);
    if (outcome.ok) {
      if (stored === undefined && executionId > 1) await removeEarlier(work, instanceId, executionId);
      return;
    }
    if (outcome.index === 1) throw ProviderError.lockLost(work.operation);
    await work.again(tries);
  }
}

export async function progressIn(
  work: Work,
  instanceId: string,
  call?: string,
): Promise<readonly StoredProgress[]> {
  const documents =
    call === undefined
      ? await work.query(instanceId, ALL)
      : [(await work.read(instanceId, progressDocumentId(instanceId, call))) ?? []].flat();
  return (documents as readonly Stored[]).map((document) => {
    const { delivery: _delivery, executionId: _execution, ...progress } = fieldsOf(document);
    return progress;
  });
}

function fieldsOf(stored: Stored): ProgressFields {
  const { call, name, delivery, attempt, executionId, value, atMs } = stored as unknown as ProgressFields;
  return { call, name, delivery, attempt, executionId, value, atMs };
}

async function removeEarlier(work: Work, instanceId: string, executionId: number): Promise<void> {
  const ids = await work.query<string>(instanceId, EARLIER, { "@execution": executionId });
  for (const id of ids) await work.batch(instanceId, [{ kind: "delete", id }]);
}
