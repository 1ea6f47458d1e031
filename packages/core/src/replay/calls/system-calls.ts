/** Calls that the runtime answers itself, recorded as ordinary activities (docs/reference/wire-format.md §3.3). */
import { SYSTEM_CALL_PREFIX } from "../../define/definitions.ts";

export const NEW_GUID: string = `${SYSTEM_CALL_PREFIX}new_guid`;
export const UTC_NOW_MS: string = `${SYSTEM_CALL_PREFIX}utc_now_ms`;
/** A wait for the permit of a limit, which the store answers. */
export const PERMIT: string = `${SYSTEM_CALL_PREFIX}permit`;
export const GET_KV_VALUE: string = `${SYSTEM_CALL_PREFIX}get_kv_value`;
