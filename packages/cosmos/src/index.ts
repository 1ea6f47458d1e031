/**
 * Azure Cosmos DB as a store of orchestrations, on the documents of the Rust provider duroxide-cdb.
 *
 * @module @duroxide-ts/cosmos
 */

export type {
  CosmosProviderOptions,
  MembershipTimes,
  PollInterval,
  Throughput,
} from "./connection/options.ts";
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
