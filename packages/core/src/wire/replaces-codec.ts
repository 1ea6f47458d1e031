/** Reads and writes the place of a message that another one replaces: messages and events have it. */
import type { MessagePlace } from "./event.ts";
import { struct } from "./struct.ts";
import { type Codec, u64, unknownToRust } from "./values.ts";

export const replaces: Codec<MessagePlace | undefined> = unknownToRust(
  struct<MessagePlace>({ execution_id: u64, event_id: u64 }),
);
