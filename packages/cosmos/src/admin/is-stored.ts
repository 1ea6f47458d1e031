/** Whether an instance that is to be deleted is still there (deletion.D5). */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import { instanceDocumentId } from "../documents/ids.ts";
import type { Instance } from "../documents/instance.ts";
import type { Call } from "../service/service.ts";

/** An instance to be deleted. */
export interface Target {
  readonly instanceId: string;
  /** Ms since the epoch. A later instance with the id has another. */
  readonly createdAt: number;
}

export function targetOf({ document: { instanceId, createdAt } }: Instance): Target {
  return { instanceId, createdAt: saturatedNumber(createdAt) };
}

/** Asked by a write, because a replica that lags behind may not show the target. */
export async function isStored(call: Call, { instanceId, createdAt }: Target): Promise<boolean> {
  const id = instanceDocumentId(instanceId);
  const onlyIf = `FROM c WHERE c.createdAt = ${createdAt}`;
  const { ok } = await call.batch(instanceId, [{ kind: "set", id, values: { isWanted: true }, onlyIf }]);
  return ok;
}
