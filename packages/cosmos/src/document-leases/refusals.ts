/** Converts the stored lease of a document to a lease for the caller, or to an error with the reason. */
import { ProviderError } from "@duroxide-ts/core/stores";
import { DocumentLeaseError } from "./document-lease-error.ts";
import type { Lease } from "./lease.ts";
import type { LeaseChange, Taken } from "./leasing.ts";
import type { LeaseAnswer } from "./procedures/answers.ts";
import type { LeaseSettings } from "./settings.ts";
import { readLease, type StoredLease } from "./stored-lease.ts";

export function toLease<T>(
  { leaseProperty }: LeaseSettings,
  { document, partitionKey, sinceMs }: Taken,
): Lease<T> {
  const stored = readLease(document[leaseProperty]);
  if (stored.kind !== "held") {
    const message = `the document ${JSON.stringify(document.id)} was leased and carries no lease; report it`;
    throw new ProviderError({ code: "internal", operation: "acquire", message });
  }
  const { holder, token, acquiredAtMs, durationMs } = stored.lease;
  const heldUntilMs = sinceMs + durationMs;
  const { id } = document;
  return {
    id,
    partitionKey,
    holder,
    token,
    acquiredAtMs,
    durationMs,
    heldUntilMs,
    document: document as unknown as T,
  };
}

type Refused = Exclude<LeaseAnswer, { readonly outcome: "done" }>;

export function refusal(
  { leaseProperty }: LeaseSettings,
  { id, holder }: LeaseChange,
  answer: Refused,
): DocumentLeaseError {
  const name = JSON.stringify(id);
  switch (answer.outcome) {
    case "missing":
      return missing(id);
    case "malformed":
      return new DocumentLeaseError({
        code: "malformed-lease",
        documentId: id,
        message: `the property ${JSON.stringify(leaseProperty)} of the document ${name} is no lease; remove it, or give another leaseProperty`,
      });
    case "held": {
      const stored = readLease(answer.document[leaseProperty]);
      const lease = stored.kind === "held" ? stored.lease : undefined;
      const expiresInMs = Math.max(0, (lease?.expiresAtMs ?? answer.nowMs) - answer.nowMs);
      const heldBy = lease?.holder ?? "another holder";
      const message = `${JSON.stringify(heldBy)} holds the lease of the document ${name} for another ${expiresInMs} ms; try again then`;
      return new DocumentLeaseError({ code: "held", documentId: id, message, heldBy, expiresInMs });
    }
    default:
      return new DocumentLeaseError({
        code: "not-held",
        documentId: id,
        message: `${JSON.stringify(holder)} does not hold the lease of the document ${name}; only its holder can break it`,
      });
  }
}

/** `stored` is undefined if the document is gone. `repeated`: an earlier attempt may have been executed. */
export function lostLease(
  { id, holder, token }: Lease<unknown>,
  stored: StoredLease | undefined,
  repeated: boolean,
): DocumentLeaseError {
  if (stored === undefined) return missing(id);
  const heldBy = stored.kind === "held" ? stored.lease.holder : undefined;
  const now =
    heldBy === undefined ? "it has no holder now" : `it was taken over by ${JSON.stringify(heldBy)}`;
  const doubt = repeated
    ? "an earlier attempt, whose response was lost, may have been executed"
    : "nothing was written";
  const message = `the lease of the document ${JSON.stringify(id)} that ${JSON.stringify(holder)} had (token ${token}) is lost: ${now}, and ${doubt}. Begin again with a new lease`;
  return new DocumentLeaseError({
    code: "not-held",
    documentId: id,
    message,
    ...(heldBy !== undefined && { heldBy }),
  });
}

function missing(id: string): DocumentLeaseError {
  return new DocumentLeaseError({
    code: "document-not-found",
    documentId: id,
    message: `there is no document ${JSON.stringify(id)} in its partition; check id and partition key`,
  });
}
