import { NOT_FOR_RUST_MS } from "./lean.ts";

/** A condition on `@now`: no lock is in force on the row. Ours are hidden while they are locked, Rust's are not. */
export const UNLOCKED: string = `(NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil = null OR c.lockedUntil <= @now
  OR c.lockedUntil = ${NOT_FOR_RUST_MS})`;
