/**
 * Orchestrations of duroxide-ts over HTTP. This file is the table of contents of the package.
 *
 * @module @duroxide-ts/http
 */

// Who may do what, and servers of Node
export {
  type Authorize,
  type NodeHandler,
  type Role,
  toNodeHandler,
  type User,
  type WebHandler,
} from "@duroxide-ts/core/web";
// Programs elsewhere
export {
  type AnyAdmin,
  type AnyClient,
  type AnyHandle,
  type AnyReading,
  type AnySchedules,
  HttpClient,
  type HttpClientOptions,
  HttpHandle,
  HttpReading,
  remote,
} from "./client/index.ts";
// In a server of yours
export { http } from "./http.ts";
export type { Delivery, HttpOptions } from "./http-options.ts";
export { oncePerProcess } from "./once-per-process.ts";
