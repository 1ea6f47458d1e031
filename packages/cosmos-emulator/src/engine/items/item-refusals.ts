/** The refusals of operations on items, with what the service charges for each (docs/reference/cosmos-protocol.md §3.2). */
import { CosmosError, type PartitionPosition } from "../../protocol/cosmos-error.ts";
import { CONFLICT_CHARGE, NOT_FOUND_CHARGE, REFUSED_CHARGE } from "../charges/item-charges.ts";

export function itemNotFound(id: string): CosmosError {
  return CosmosError.notFound(
    `Entity with the specified id does not exist in the system: ${JSON.stringify(id)}. Check the id and the partition key.`,
    { charge: NOT_FOUND_CHARGE },
  );
}

export function itemConflict(): CosmosError {
  return CosmosError.conflict(
    "Entity with the specified id already exists in the system, or another item of the partition has the same unique values.",
    { charge: CONFLICT_CHARGE },
  );
}

export function preconditionFailed(): CosmosError {
  return CosmosError.preconditionFailed(
    "Operation cannot be performed because one of the specified precondition is not met. Read the item again and use its current ETag.",
    { charge: REFUSED_CHARGE },
  );
}

export function conditionFailed(): CosmosError {
  return CosmosError.preconditionFailed("The condition of the patch is not true for the item.", {
    charge: REFUSED_CHARGE,
  });
}

/** Adds the charge (by default that of a refused operation) and the position of the partition to a refusal. */
export function completeRefusal(
  error: unknown,
  known: { readonly charge?: number; readonly position?: PartitionPosition | undefined } = {},
): unknown {
  if (!(error instanceof CosmosError)) return error;
  const { charge = REFUSED_CHARGE, position } = known;
  return error.completedWith(position === undefined ? { charge } : { charge, position });
}

/** Tells whether SQLite refused a second row with the same key and id, or the same unique values. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === SQLITE_CONSTRAINT;
}

const SQLITE_CONSTRAINT = 19;
