/** The custom status, if it is newer than what the caller has seen (docs/reference/provider-contract.md §14). */
import { type CustomStatus, checkSeenVersion, saturatedNumber } from "@duroxide-ts/core/stores";
import { READ_PATIENCE_MS, readNamed } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "getCustomStatus";

export async function getCustomStatus(
  store: Store,
  instanceId: string,
  lastSeenVersion: number,
): Promise<CustomStatus | undefined> {
  checkSeenVersion(OPERATION, lastSeenVersion);
  const instance = await readNamed(store, store.requests.call(OPERATION, READ_PATIENCE_MS), instanceId);
  if (instance === undefined) return undefined;
  const version = saturatedNumber(instance.document.customStatusVersion);
  // Version 0 stands for a status that was never set.
  return version > lastSeenVersion ? { status: instance.document.customStatus, version } : undefined;
}
