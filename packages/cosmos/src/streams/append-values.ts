/**
 * Adds values of an activity to a stream of its instance: one batch under the ETag of the stream's record
 * (docs/reference/provider-contract.md §13.1).
 *
 * - append-values.AV1: The batch reads the row of the activity. So nothing is written after the activity was
 *   acknowledged, cancelled or deleted, whenever a request arrives. No other activity takes over a row that such a batch
 *   names (commit.K7).
 * - append-values.AV2: A lock whose time is over is read again, and so is one where another delivery has written last:
 *   another fetch may have the activity. It is looked at after the record, whose ETag tells of whoever writes meanwhile.
 * - append-values.AV3: After a refusal, or an answer that was lost, the record is read again. It says what this delivery
 *   has written, so a repetition stores nothing twice.
 */
import { type AppendOutcome, ProviderError, type StreamAppend } from "@duroxide-ts/core/stores";
import { batchBody, streamBody } from "../documents/stream.ts";
import { ACTIVITY_LEASE } from "../leases/activity-lease.ts";
import { parseActivityToken } from "../leases/lock-token.ts";
import type { Work } from "../memory/parts.ts";
import type { BatchOperation } from "../service/batch.ts";
import { extendStream } from "./extend-stream.ts";
import { withForgotten } from "./forgotten-step.ts";
import { forgetStream, knownStream, wroteStream } from "./known-streams.ts";
import { sweepStream } from "./sweep-stream.ts";

export async function appendValues(work: Work, append: StreamAppend): Promise<AppendOutcome> {
  const { stream, writer } = append;
  const instanceId = append.instanceId.toWellFormed();
  for (let attempt = 1; ; attempt++) {
    let before = await knownStream(work, instanceId, stream);
    if (before.closed) {
      // A restart of the instance by another process has opened it.
      forgetStream(work, instanceId, stream);
      before = await knownStream(work, instanceId, stream);
      if (before.closed) return "closed";
    }
    const others = before.steps.some(
      (step) => step.call === writer.call && step.delivery !== writer.delivery,
    );
    const known = await withForgotten(work, instanceId, before, writer);
    const rowId = await rowOf(work, instanceId, writer.lockToken, others || known !== before);
    const { state, parts } = extendStream(known, append);
    const body = streamBody(instanceId, state);
    const operations: BatchOperation[] = [
      before.etag === ""
        ? { kind: "create", body }
        : { kind: "replace", id: String(body["id"]), body, ifMatch: before.etag },
      ...parts.map((part): BatchOperation => ({ kind: "upsert", body: batchBody(instanceId, stream, part) })),
      { kind: "read", id: rowId },
    ];
    const outcome = await work.batch(instanceId, operations);
    if (outcome.ok) {
      wroteStream(work, instanceId, state, outcome.etags[0] ?? "");
      await sweepStream(work, instanceId, state, append.bounds);
      return "stored";
    }
    if (outcome.index === operations.length - 1) throw ProviderError.lockLost(work.operation);
    forgetStream(work, instanceId, stream);
    await work.again(attempt);
  }
}

/** Id of the row of the activity, which nobody else has locked as far as this process can tell. */
export async function rowOf(
  work: Work,
  instanceId: string,
  lockToken: string,
  isInDoubt = false,
): Promise<string> {
  const token = parseActivityToken(work.operation, lockToken);
  if (token.instanceId !== instanceId) throw ProviderError.lockLost(work.operation);
  const { heldActivities } = work.memory;
  const held = heldActivities.get(token.secret);
  // append-values.AV1
  if (held?.takeover === "begun") throw ProviderError.lockLost(work.operation);
  if (held !== undefined) heldActivities.set({ ...held, takeover: undefined });
  // append-values.AV2
  if (isInDoubt || held === undefined || held.lockedUntilMs <= work.clock.now()) {
    if ((await ACTIVITY_LEASE.read(work, token)) === undefined) throw ProviderError.lockLost(work.operation);
  }
  return token.rowId;
}
