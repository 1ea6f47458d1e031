/**
 * The client over HTTP, without modules of Node: for browsers, and for functions without access to the store.
 *
 * @module @duroxide-ts/http/client
 */
export type { AnyAdmin, AnyClient, AnyHandle, AnyReading, AnySchedules } from "@duroxide-ts/core/browser";
export { HttpClient, type HttpClientOptions } from "./http-client.ts";
export { HttpHandle } from "./http-handle.ts";
export { HttpReading } from "./http-reading.ts";
export { remote } from "./remote.ts";
