/** Whether an instance that is to be deleted is still there (deletion.D5). */
import { saturatedNumber } from "@duroxide-ts/core/stores";
import type { Instance } from "../documents/instance.ts";
import { storedInstance } from "../leases/stored-instance.ts";
import type { Work } from "../memory/parts.ts";

/** An instance to be deleted. */
export interface Target {
  readonly instanceId: string;
  /** Ms since the epoch. A later instance with the id has another. */
  readonly createdAt: number;
}

export function targetOf({ document: { instanceId, createdAt } }: Instance): Target {
  return { instanceId, createdAt: saturatedNumber(createdAt) };
}

export async function isStored(work: Work, { instanceId, createdAt }: Target): Promise<boolean> {
  await work.fence(instanceId);
  const instance = await storedInstance(work, instanceId);
  return instance !== undefined && targetOf(instance).createdAt === createdAt;
}
