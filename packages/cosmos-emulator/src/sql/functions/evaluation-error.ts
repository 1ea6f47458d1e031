import { CosmosError } from "../../protocol/cosmos-error.ts";

/** A query that fails on a value that it meets: 400/4001 (docs/reference/cosmos-protocol.md §2.1). */
export function evaluationError(message: string): CosmosError {
  const body = JSON.stringify({ errors: [{ severity: "Error", code: "4001", message }] });
  return CosmosError.badRequest(body, { substatus: 4001 });
}
