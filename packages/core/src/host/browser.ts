/** Functions that browsers lack, or lack on pages that came without TLS. */
import type timers from "node:timers";
import { uuidOf } from "./uuid.ts";

export type Timers = Pick<typeof timers, "setTimeout" | "clearTimeout" | "setImmediate">;

export function browserTimers(): Timers {
  const { setTimeout, clearTimeout } = globalThis;
  const setImmediate = ((call: () => void) => setTimeout(call, 0)) as unknown as Timers["setImmediate"];
  return { setTimeout, clearTimeout, setImmediate };
}

/** A version 4 UUID. */
export function browserUuid(): ReturnType<typeof crypto.randomUUID> {
  return uuidOf(crypto.getRandomValues(new Uint8Array(16)));
}
