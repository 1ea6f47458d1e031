/**
 * The place and time of a run of an activity, in its completion and in its event (docs/reference/wire-format.md §2.1).
 */
import type { Ran } from "./event.ts";
import { struct } from "./struct.ts";
import { type Codec, text, u64 } from "./values.ts";

export const ran: Codec<Ran> = struct<Ran>({ started_at_ms: u64, worker_id: text, attempt: u64 });
