/**
 * Checks invariants that the heads of files list. The checks stay on: one that fails ends its operation, and never the
 * process. They stand only where the error reaches a caller, so in no callback of a timer or a signal.
 */
import { channel } from "node:diagnostics_channel";

const VIOLATIONS = channel("duroxide:invariant");

/** Throws unless the invariant holds. The channel tells tests and the simulation, whoever catches the error. */
export function invariant(condition: boolean, name: string): asserts condition {
  if (condition) return;
  const error = new Error(`the invariant ${name} does not hold; report it with this stack`);
  VIOLATIONS.publish(error);
  throw error;
}
