/** Azure Cosmos DB as a store of orchestrations. Today: the stored documents; the provider follows. */

export { DISPATCH_SLOTS, dispatchSlot } from "./schema/dispatch-slot.ts";
export {
  type CosmosDocument,
  type DocumentOf,
  type DocumentPayloads,
  type DocumentType,
  decodeDocument,
  encodeDocument,
  type SystemFields,
} from "./schema/documents.ts";
