/**
 * A local endpoint of the Azure Cosmos DB API for NoSQL, for development and tests.
 *
 * @module @duroxide-ts/cosmos-emulator
 */

// Starting and stopping
export { CosmosEmulator } from "./emulator.ts";
// Without a socket, for simulations
export type { EndpointSource } from "./endpoint.ts";
// Rights of Microsoft Entra tokens
export type { EntraRole } from "./gateway/auth/data-role.ts";
export type { ErrorFields } from "./gateway/faults/error-fields.ts";
// Faults on request
export type { FaultEffect } from "./gateway/faults/fault-effect.ts";
export type { FaultMatch, FaultRule } from "./gateway/faults/fault-rule.ts";
export type { ActiveFault, Faults } from "./gateway/faults/faults.ts";
export type { BatchOperationType, OperationError } from "./gateway/faults/operation-fault.ts";
export type {
  ContainerNames,
  MergeOptions,
  MigrateOptions,
  PartitionControl,
  SplitOptions,
} from "./gateway/faults/partition-control.ts";
export type { Budget } from "./gateway/faults/throttle.ts";
// What was asked of it
export type {
  LoggedRequest,
  RequestCount,
  RequestCounts,
  RequestLog,
  RequestMark,
} from "./gateway/log/request-log.ts";
export type { OperationKind } from "./gateway/requests/operation-kind.ts";
// Files of a page of its own
export type { ExplorerFile } from "./gateway/tools/tool-routes.ts";
export {
  type InProcessAnswer,
  InProcessEndpoint,
  type InProcessEndpointOptions,
  type InProcessRequest,
} from "./in-process-endpoint.ts";
export { type CosmosEmulatorOptions, WELL_KNOWN_KEY } from "./options.ts";
// Values of partition keys in fault rules
export type { JsonObject, JsonValue } from "./protocol/json.ts";
