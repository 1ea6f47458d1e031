/** The custom status, if it is newer than the caller's (docs/reference/provider-contract.md §14). */
import { type CustomStatus, checkSeenVersion, saturatedNumber } from "@duroxide-ts/core/stores";
import { readNamed } from "../leases/read-instance.ts";
import { READ_PATIENCE_MS } from "../memory/waits.ts";
import type { Service } from "../service/service.ts";

const OPERATION = "getCustomStatus";

export async function getCustomStatus(
  service: Service,
  instanceId: string,
  lastSeenVersion: number,
): Promise<CustomStatus | undefined> {
  checkSeenVersion(OPERATION, lastSeenVersion);
  const instance = await readNamed(service.call(OPERATION, READ_PATIENCE_MS), instanceId);
  if (instance === undefined) return undefined;
  const version = saturatedNumber(instance.document.customStatusVersion);
  // Version 0: the status was never set.
  return version > lastSeenVersion ? { status: instance.document.customStatus, version } : undefined;
}
