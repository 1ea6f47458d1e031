/** Functions that browsers lack, or lack on pages that came without TLS. */
import type timers from "node:timers";

export type Timers = Pick<typeof timers, "setTimeout" | "clearTimeout" | "setImmediate">;

export function browserTimers(): Timers {
  const { setTimeout, clearTimeout } = globalThis;
  const setImmediate = ((call: () => void) => setTimeout(call, 0)) as unknown as Timers["setImmediate"];
  return { setTimeout, clearTimeout, setImmediate };
}

/** A version 4 UUID. */
export function browserUuid(): ReturnType<typeof crypto.randomUUID> {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const [six = 0, eight = 0] = [bytes[6], bytes[8]];
  bytes[6] = (six & 0x0f) | 0x40;
  bytes[8] = (eight & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits) ?? [];
  return groups.join("-") as ReturnType<typeof crypto.randomUUID>;
}
