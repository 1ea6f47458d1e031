/** A receipt that refused a batch, if its message was sent so long ago that its id is free for another one. */
import type { Stored } from "../documents/body.ts";
import { isForgotten } from "../documents/receipt.ts";
import type { Work } from "../memory/parts.ts";

/** `undefined` too if a read does not show the receipt yet: it exists, because it refused the batch. */
export async function expiredReceipt(
  work: Work,
  instanceId: string,
  id: string,
  nowMs: number,
): Promise<Stored | undefined> {
  const receipt = await work.read(instanceId, id);
  return receipt !== undefined && isForgotten(receipt, nowMs) ? receipt : undefined;
}
