/** Stores how far a running activity has come (docs/reference/provider-contract.md §13.2). */
import { checkProgress, type ProgressReport } from "@duroxide-ts/core/stores";
import type { WriteOperation } from "../commit/transaction.ts";
import { ownerOf } from "../streams/owner.ts";
import { storeProgress } from "../streams/progress-rows.ts";

const OPERATION = "reportProgress";

export function reportProgress(report: ProgressReport): WriteOperation<void> {
  checkProgress(OPERATION, report);
  const findOwner = ownerOf(OPERATION, report.instanceId, report.writer.lockToken);
  const copy = { ...report };
  return (tx) => storeProgress(tx, findOwner(tx.db).instance_key, copy);
}
