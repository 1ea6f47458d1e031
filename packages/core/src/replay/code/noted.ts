import { callSiteOf } from "../calls/call-sites.ts";
import type { Action } from "../calls/durable-call.ts";
import type { Surroundings } from "./program.ts";

/** Adds line and label, for people. The line of a detached start, a status and an entry is not known. */
export function noted<P>(payload: P, { call, request: { label } }: Action, { sourceLines }: Surroundings): P {
  const at = sourceLines === true ? callSiteOf(call) : undefined;
  if (at === undefined && label === undefined) return payload;
  return { ...payload, ...(at !== undefined && { at }), ...(label !== undefined && { label }) };
}
