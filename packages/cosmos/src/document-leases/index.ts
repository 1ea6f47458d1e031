/**
 * Leases on documents of any container (docs/document-leases.md). Does not use the provider of orchestrations.
 *
 * @module @duroxide-ts/cosmos/document-leases
 */

export type { DocumentState } from "./arguments.ts";
export {
  DocumentLeaseError,
  type DocumentLeaseErrorCode,
  type DocumentLeaseErrorOptions,
} from "./document-lease-error.ts";
export { DocumentLeases, type LeaseMethod, type NextOptions } from "./document-leases.ts";
export type { DocumentAddress, LeasableDocument, Lease } from "./lease.ts";
export type { DocumentLeasesOptions, UseOfProcedures } from "./settings.ts";
