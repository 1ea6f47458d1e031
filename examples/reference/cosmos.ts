/** Requests and documents of Cosmos DB, and leases on one's own documents. */
import { SeededRandom } from "@duroxide-ts/core/testing";
import type { DocumentOf, RequestInfo, SystemFields } from "@duroxide-ts/cosmos";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import {
  DocumentLeaseError,
  DocumentLeases,
  type DocumentLeasesOptions,
  type Lease,
} from "@duroxide-ts/cosmos/document-leases";

export function connect(connectionString: string): Promise<CosmosProvider> {
  return CosmosProvider.connect({
    connectionString,
    preferredLocations: ["West Europe", "North Europe"],
    membership: { leaseMs: 30_000 },
    reconcilerAgeMs: 60_000,
    onRequest: ({ operation, status, substatus }: RequestInfo) =>
      console.log(`${operation}: ${status ?? "no answer"}/${substatus ?? 0}`),
  });
}

/** Returns the version of a document, from fields that the service adds. */
export function versionOf({ _etag, _ts, _rid, _self, _attachments }: SystemFields): string {
  return `${_etag} of ${new Date(1_000 * Number(_ts))} (${_rid}, ${_self}, ${_attachments})`;
}

export function describeDocument(document: DocumentOf<"kv" | "history">): string {
  return document.type === "kv" ? `${document.key} = ${document.value}` : `event ${document.eventId}`;
}

/** Chance from a seed, so that a test sees the same order of documents again. */
export function leasesOf(container: Parameters<typeof DocumentLeases.on>[0]): DocumentLeases {
  const options: DocumentLeasesOptions = { leaseMs: 60_000, random: new SeededRandom("1") };
  return DocumentLeases.on(container, options);
}

export function remainingMs({ acquiredAtMs, durationMs }: Lease, nowMs: number): number {
  return acquiredAtMs + durationMs - nowMs;
}

export function explain(error: unknown): string {
  if (!DocumentLeaseError.is(error)) return String(error);
  const { code, documentId, heldBy = "nobody", expiresInMs = 0 } = error;
  return `${documentId}: ${code}, held by ${heldBy} for ${expiresInMs} ms`;
}

/** A test of code that meets a lease of another process. */
export const held = new DocumentLeaseError({
  code: "held",
  documentId: "negotiation-1",
  message: "another process has the lease",
  heldBy: "shop-2",
  expiresInMs: 4_000,
});
