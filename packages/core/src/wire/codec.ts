/** Converts between stored text and events, work items and error details. Every failure is a WireError. */
export { decodeErrorDetails, encodeErrorDetails } from "./error-details-codec.ts";
export { decodeEvent, decodeEvents, encodeEvent, eventFields } from "./event-codec.ts";
export { WireError, type WireErrorCode, type WireErrorOptions } from "./wire-error.ts";
export { decodeWorkItem, encodeWorkItem } from "./work-item-codec.ts";
