/** Requests that are made whether or not there is work, and so are no cost of an orchestration. */
import type { RequestInfo } from "@duroxide-ts/cosmos";

const WITHOUT_WORK: readonly string[] = ["getInstanceStatus", "leaseSlots", "reconcile"];

export function isIdle({ operation, kind, results }: RequestInfo): boolean {
  return WITHOUT_WORK.includes(operation) || (kind === "scan" && results === 0);
}
