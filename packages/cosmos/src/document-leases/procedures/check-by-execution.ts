/**
 * Checks whether a procedure exists and is ours, for identities that may execute procedures but not read them: executes
 * it with a query that finds nothing, and compares the version in its answer.
 */
import type { PartitionKey } from "@azure/cosmos";
import type { Deadline } from "../../service/call.ts";
import type { Failure } from "../../service/failure.ts";
import { documentById } from "../lease-queries.ts";
import type { LeaseRequests } from "../lease-requests.ts";
import { readLeaseAnswer, readNextAnswer } from "./answers.ts";
import type { LeaseRequest } from "./lease-procedure.ts";
import type { NextRequest } from "./next-for-state-procedure.ts";

export type Found =
  | { readonly kind: "ours" | "missing" | "changed" }
  | { readonly kind: "refused"; readonly failure: Failure };

/** A value that no document has as its id, and no partition as its key. */
const UNUSED_KEY = "duroxide-nobody-3f0c6f0e";

const FORBIDDEN: readonly (number | undefined)[] = [401, 403, 405];

export async function checkByExecution(
  requests: LeaseRequests,
  call: Deadline,
  procedureId: string,
  partitionKeyPaths: readonly unknown[],
): Promise<Found> {
  const partitionKey: PartitionKey =
    partitionKeyPaths.length > 1 ? partitionKeyPaths.map(() => UNUSED_KEY) : UNUSED_KEY;
  const result = await requests.execute(call, partitionKey, procedureId, () => NOTHING);
  if (result.ok) {
    const isOurs = readLeaseAnswer(result.value) !== undefined || readNextAnswer(result.value) !== undefined;
    return { kind: isOurs ? "ours" : "changed" };
  }
  const { failure } = result;
  if (failure.status === 404) return { kind: "missing" };
  return FORBIDDEN.includes(failure.status) ? { kind: "refused", failure } : { kind: "changed" };
}

/** Request that both procedures understand. */
const NOTHING: LeaseRequest & NextRequest = {
  action: "acquire",
  query: documentById(UNUSED_KEY),
  property: "lease",
  limit: 1,
  holder: UNUSED_KEY,
  durationMs: 1,
  attempt: UNUSED_KEY,
};
