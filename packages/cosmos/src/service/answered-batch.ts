/** The results of a batch, one for each operation. */
import type { OperationResponse } from "@azure/cosmos";
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import type { BatchOperation } from "./batch.ts";
import type { Deadline } from "./call.ts";
import { nameOf } from "./refused-operation.ts";

/** Throws if a written document has none: a condition on an empty ETag would protect nothing. */
export function checkEtags(
  { operation }: Deadline,
  operations: readonly BatchOperation[],
  results: readonly OperationResponse[],
): void {
  const index = results.findIndex(({ eTag = "" }, at) => eTag === "" && operations[at]?.kind !== "delete");
  if (index < 0) return;
  const message = `the service returned no ETag for ${nameOf(operations[index])}; run azure-check against this account`;
  throw new ProviderError({ code: "internal", operation, message });
}

/** The document that the batch read, if it read one. */
export function readBy(
  operations: readonly BatchOperation[],
  results: readonly OperationResponse[],
): Stored | undefined {
  const index = operations.findIndex(({ kind }) => kind === "read");
  return index < 0 ? undefined : (results[index]?.resourceBody as Stored | undefined);
}

export function ridOf({ resourceBody }: OperationResponse): string | undefined {
  const rid = resourceBody?.["_rid"];
  return typeof rid === "string" ? rid : undefined;
}
