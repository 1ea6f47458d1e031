/** A condition on `@now`: no lock is in force on the row. Ours are hidden while they are locked, Rust's are not. */
export const UNLOCKED = "(NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil = null OR c.lockedUntil <= @now)";
