/**
 * The instance that has the id of a start. A claim of the first turn finds out with its write, because it creates the
 * instance or replaces the one that this process knows. Without a claim a look costs a request.
 */
import { isOfAnother, type OrchestratorItem, type TakenId, takenStatus } from "@duroxide-ts/core/stores";
import { type Instance, isNamed } from "../documents/instance.ts";
import { readNamed } from "../leases/read-instance.ts";
import type { Work } from "../memory/parts.ts";
import type { TurnClaim } from "./claim-turn.ts";

export function takenBy({ document: { status, orchestrationName } }: Instance): TakenId {
  return { orchestration: orchestrationName, status: takenStatus(status) };
}

/** Returns the instance that has the id before the start is written. */
export async function takenBefore(
  work: Work,
  instanceId: string,
  claim: TurnClaim | undefined,
): Promise<TakenId | undefined> {
  const found = claim === undefined ? await readNamed(work, instanceId) : claim.instance;
  return found === undefined || !isNamed(found) ? undefined : takenBy(found);
}

/**
 * Returns the instance that has the id after a claim was refused: another process has written it since this one
 * read it. The documents of a start of another orchestration are withdrawn.
 */
export async function takenMeanwhile(
  work: Work,
  instanceId: string,
  start: OrchestratorItem,
  ids: readonly string[],
): Promise<TakenId | undefined> {
  const found = await readNamed(work, instanceId);
  const taken = found && takenBy(found);
  if (taken === undefined || !isOfAnother(taken, start)) return taken;
  await work.batch(
    instanceId,
    ids.map((id) => ({ kind: "delete", id })),
  );
  return taken;
}
