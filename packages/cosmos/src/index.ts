/**
 * Azure Cosmos DB as a store of orchestrations, on the documents of the Rust provider duroxide-cdb.
 *
 * @module @duroxide-ts/cosmos
 */

export type {
  CosmosProviderOptions,
  PollInterval,
  SlotLeaseTimes,
  Throughput,
} from "./connection/options.ts";
/** Leases on documents of anyone's container (docs/document-leases.md). */
export type { DocumentState } from "./document-leases/arguments.ts";
export {
  DocumentLeaseError,
  type DocumentLeaseErrorCode,
  type DocumentLeaseErrorOptions,
} from "./document-leases/document-lease-error.ts";
export { DocumentLeases, type LeaseMethod, type NextOptions } from "./document-leases/document-leases.ts";
export type { DocumentAddress, LeasableDocument, Lease } from "./document-leases/lease.ts";
export type { DocumentLeasesOptions, UseOfProcedures } from "./document-leases/settings.ts";
export { DISPATCH_SLOTS, dispatchSlot } from "./documents/dispatch-slot.ts";
export {
  type CosmosDocument,
  type DocumentOf,
  type DocumentPayloads,
  type DocumentType,
  decodeDocument,
  encodeDocument,
  type SystemFields,
} from "./documents/documents.ts";
export { CosmosProvider } from "./provider.ts";
export type { RequestInfo, RequestKind } from "./service/call.ts";
