/**
 * The parts that packages with a server of their own share: who may do what, reading requests, answers, and the listener of
 * `node:http`.
 *
 * @module @duroxide-ts/core/web
 */
export { type AddressOptions, addressFault, isOwnOrigin, pathBelow } from "./address.ts";
export { errorStatus, GONE } from "./error-status.ts";
export { instantIn } from "./instant-field.ts";
export { jsonPayload } from "./json-payload.ts";
export { codeOf, inputSchemaOf } from "./known-orchestrations.ts";
export { type NodeHandler, toNodeHandler, type WebHandler } from "./node-handler.ts";
export { readBytes, readText } from "./read-body.ts";
export { json, Refused, refusal } from "./refusal.ts";
export { type Authorize, type Role, type User, userIn, userOf } from "./user.ts";
