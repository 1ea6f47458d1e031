/**
 * Documents of an instance that are at least as new as the instance document that was read before. A replica that lags
 * behind hides some of them: its answer has an older instance document, and the query is sent again.
 */
import type { SqlParameter } from "@azure/cosmos";
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { type Instance, toInstance } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";
import { storedInstance } from "./stored-instance.ts";

/** Rust writes no notes, so only the ETag tells whether an instance is the same, and it may change all the time. */
const MOST_WITHOUT_NOTES = 3;

/** `condition` of a query in the partition of the instance. */
export async function queryWithInstance(
  call: Call,
  instance: Instance,
  condition: string,
  parameters: readonly SqlParameter[] = [],
): Promise<readonly Stored[]> {
  const { instanceId } = instance.document;
  const spec = {
    query: `SELECT * FROM c WHERE ${condition} OR c.type = 'instance'`,
    parameters: [...parameters],
  };
  let known = instance;
  for (let attempt = 1; ; attempt++) {
    const documents = await call.query(instanceId, spec);
    const shown = documents.find(({ type }) => type === "instance");
    const others = documents.filter((each) => each !== shown);
    if (shown !== undefined && !isBehind(toInstance(call.operation, shown), known, attempt)) return others;
    const now = await storedInstance(call, instanceId);
    // It was deleted meanwhile, and may have been created again, by a process whose clock is behind.
    if (now === undefined && shown === undefined) return others;
    if (now !== undefined && createdAtOf(now) !== createdAtOf(known)) known = now;
    await call.again(attempt);
  }
}

function isBehind(shown: Instance, known: Instance, attempt: number): boolean {
  if (shown.etag === known.etag) return false;
  if (createdAtOf(shown) !== createdAtOf(known)) return createdAtOf(shown) < createdAtOf(known);
  const [shownExecution, knownExecution] = [executionOf(shown), executionOf(known)];
  if (shownExecution !== knownExecution) return shownExecution < knownExecution;
  const { lastEventId: ofShown } = shown.notes;
  const { lastEventId: ofKnown } = known.notes;
  if (ofShown === undefined || ofKnown === undefined) return attempt < MOST_WITHOUT_NOTES;
  return ofShown < ofKnown;
}

function createdAtOf({ document }: Instance): number {
  return saturatedNumber(document.createdAt);
}

function executionOf({ document }: Instance): number {
  return saturatedNumber(document.currentExecutionId);
}
