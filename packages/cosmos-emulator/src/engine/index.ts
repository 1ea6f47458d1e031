/** The engine: what is stored, and what operations do with it. It knows no HTTP. */

// What is not an item
export type { Resource } from "./catalogue/catalogue.ts";
export type { ProvisionedThroughput, Throughput } from "./catalogue/offers.ts";
// What operations cost
export {
  REFUSED_CHARGE,
  RESOURCE_READ_CHARGE,
  SCRIPT_CHARGE,
  THROTTLED_CHARGE,
} from "./charges/item-charges.ts";
// The store and its containers
export { type BulkOperation, Container, type PartitionKeyRange } from "./container.ts";
export { Engine } from "./engine.ts";
// Feeds and queries
export type { ChangeFeedPage, ChangeFeedRequest } from "./feeds/change-feed.ts";
export type { EpkRange, FeedScope } from "./feeds/feed-scope.ts";
export type { QueryPageRequest, QueryRequest } from "./feeds/query.ts";
export type { FeedPage } from "./feeds/read-feed.ts";
// Items
export { type BatchMode, type BatchOperationResult, checkBatchLength } from "./items/batch.ts";
export type { ItemOperation, ItemResult, Preconditions } from "./items/item-operation.ts";
export { completeRefusal } from "./items/item-refusals.ts";
export { parsePatch } from "./items/patch/parse-patch.ts";
// Beginnings
export type { EngineOptions } from "./options.ts";
