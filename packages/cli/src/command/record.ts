/** The user who changes something, and the reason, for the record of the store or of stderr. */
import { hostname, userInfo } from "node:os";
import type { Logger } from "@duroxide-ts/core";
import { usage } from "../errors/exit-code.ts";
import { formatJsonLine } from "../output/json.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface RecordFlags {
  readonly reason: string | undefined;
  readonly by: string | undefined;
}

export function machineUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // A user id without an entry in the system has no name.
    return hostname();
  }
}

/** The reason as given, with its author: `--by`, or the user of this machine. */
export function recordOf({ by, reason }: RecordFlags): { readonly by: string; readonly reason?: string } {
  return { by: by ?? machineUser(), ...(reason !== undefined && { reason }) };
}

/** One text, for a record that has no place for the author. */
export function recordAsText(flags: RecordFlags): string {
  const { by, reason } = recordOf(flags);
  return reason === undefined ? `by ${by}` : `${reason} (by ${by})`;
}

/** The record of a verb that needs a reason. */
export function recordWithReason(flags: RecordFlags): { readonly by: string; readonly reason: string } {
  const { by, reason } = recordOf(flags);
  if (reason === undefined) throw usage("It needs a reason", '--reason "the bank is down"');
  return { by, reason };
}

/**
 * Also writes the `info` entries of changes to stderr, a line of JSON for each. For changes that leave no place in the
 * store for who and why, these lines are the record. Entries without an `event` are no changes, but advice of the store.
 */
export function recordingLogger({ logger, clock, note }: Terminal): Logger {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info(fields) {
      if (fields["event"] === undefined) return;
      note(formatJsonLine({ at: new Date(clock.now()).toISOString(), ...fields }));
    },
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}

/** A logger that writes the record if a reason is given, for the verbs whose record is stderr. */
export function recordingIfAsked(terminal: Terminal, { reason }: RecordFlags): Logger | undefined {
  return reason === undefined ? undefined : recordingLogger(terminal);
}
