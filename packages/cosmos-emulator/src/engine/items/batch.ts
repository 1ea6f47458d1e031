/**
 * Several operations on one logical partition in one request (docs/reference/cosmos-protocol.md §1.6).
 *
 * - batch.B1: Every operation has a result, in the order of the operations.
 * - batch.B2: An atomic batch that fails leaves the position of its partition as it was.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { invariant } from "../../protocol/invariant.ts";
import type { ContainerState, LogicalPartition } from "../container-state.ts";
import { executeItem } from "./execute-item.ts";
import type { ItemOperation } from "./item-operation.ts";
import { completeRefusal } from "./item-refusals.ts";

/**
 * - "atomic": all operations or none, at one position (LSN).
 * - "stop-at-failure": those before the first failure stay, those after it do not run. This is what the service is
 *   taken to do with a batch that is not marked as atomic (assumed, §8.2).
 * - "continue": every operation for itself, as in bulk requests.
 */
export type BatchMode = "atomic" | "stop-at-failure" | "continue";

export interface BatchOperationResult {
  /** 424 for an operation that was undone or did not run because another one failed. */
  readonly status: number;
  readonly substatus?: number;
  readonly charge: number;
  readonly etag?: string;
  readonly body?: string;
}

export interface BatchResult {
  /** 200 if all operations succeeded, else 207. */
  readonly status: 200 | 207;
  /** Sub-status of the first operation that failed. */
  readonly substatus?: number;
  /** The sum of what was done, operations that were undone included. */
  readonly charge: number;
  /** One for each operation, in order. */
  readonly results: readonly BatchOperationResult[];
  readonly lsn: number;
  readonly rangeId: string;
}

export interface BatchOptions {
  /** Whether the response contains the items. In an atomic batch they have at most 2 MB together. Default: false. */
  readonly returnsItems?: boolean;
}

const MAX_OPERATIONS = 100;
/** Inferred: the service's limit of a response, which refuses the operation that exceeds it (§3.1). */
const MAX_RETURNED_BYTES = 2 * 1024 * 1024;

/** Throws 400 for a batch that is too long or empty; the gateway checks the size of the request. */
export function checkBatchLength(operations: number): void {
  if (operations === 0) throw CosmosError.badRequest("The batch has no operations. Send at least one.");
  if (operations > MAX_OPERATIONS) {
    throw CosmosError.badRequest(
      `Batch request has more operations than what is supported: ${operations}, at most ${MAX_OPERATIONS}. Send several.`,
    );
  }
}

/** Throws as `checkBatchLength` does; what else is refused is a result. */
export function executeBatch(
  state: ContainerState,
  logical: LogicalPartition,
  operations: readonly ItemOperation[],
  mode: BatchMode,
  { returnsItems = false }: BatchOptions,
): BatchResult {
  checkBatchLength(operations.length);
  const results =
    mode === "atomic"
      ? runAtomically(state, logical, operations, returnsItems ? MAX_RETURNED_BYTES : undefined)
      : runEach(state, logical, operations, mode);
  invariant(results.length === operations.length, "batch.B1");
  const failedOperation = results.find(isFailure);
  return {
    status: failedOperation === undefined ? 200 : 207,
    ...(failedOperation?.substatus !== undefined && { substatus: failedOperation.substatus }),
    charge: results.reduce((sum, { charge }) => sum + charge, 0),
    results,
    lsn: state.lsnOf(logical.partition),
    rangeId: logical.partition.id,
  };
}

/** Tells whether an operation failed by itself, rather than because of another one. */
function isFailure({ status }: BatchOperationResult): boolean {
  return status >= 400 && status !== FAILED_DEPENDENCY;
}

const FAILED_DEPENDENCY = 424;
const NOT_RUN: BatchOperationResult = { status: FAILED_DEPENDENCY, charge: 0 };

function runAtomically(
  state: ContainerState,
  logical: LogicalPartition,
  operations: readonly ItemOperation[],
  mostBytes: number | undefined,
): readonly BatchOperationResult[] {
  const done: BatchOperationResult[] = [];
  let bytes = 0;
  const before = state.lsnOf(logical.partition);
  try {
    state.store.atomically(() => {
      for (const operation of operations) {
        const result = executeItem(state, logical, operation);
        if (mostBytes !== undefined) bytes += Buffer.byteLength(result.body ?? "");
        if (mostBytes !== undefined && bytes > mostBytes) throw answerTooLarge(mostBytes);
        done.push(result);
      }
    });
    return done;
  } catch (error) {
    const failure = refusalResult(error);
    invariant(state.lsnOf(logical.partition) === before, "batch.B2");
    const undone = done.map(({ charge }) => ({ status: FAILED_DEPENDENCY, charge }));
    return [...undone, failure, ...operations.slice(done.length + 1).map(() => NOT_RUN)];
  }
}

function answerTooLarge(mostBytes: number): CosmosError {
  return new CosmosError({
    status: 413,
    code: "RequestEntityTooLarge",
    message: `The items that the batch returns have more than ${mostBytes} bytes. Send less operations, or ask for no items ("prefer: return=minimal").`,
  });
}

function runEach(
  state: ContainerState,
  logical: LogicalPartition,
  operations: readonly ItemOperation[],
  mode: "stop-at-failure" | "continue",
): readonly BatchOperationResult[] {
  return state.store.write((transaction) => {
    let hasFailed = false;
    return operations.map((operation) => {
      if (hasFailed && mode === "stop-at-failure") return NOT_RUN;
      transaction.beginUnit();
      try {
        return executeItem(state, logical, operation);
      } catch (error) {
        hasFailed = true;
        return refusalResult(error);
      }
    });
  });
}

/** Turns a refusal into a result. Anything else is a failure of the store, and ends the whole request. */
export function refusalResult(error: unknown): BatchOperationResult {
  const refusal = completeRefusal(error);
  if (!(refusal instanceof CosmosError)) throw refusal;
  const { status, substatus, charge = 0 } = refusal;
  return { status, charge, ...(substatus !== undefined && { substatus }) };
}
