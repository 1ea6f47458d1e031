/** The user who changes something, and the reason, for the record of the store. */
import { hostname, userInfo } from "node:os";
import { usage } from "../errors/exit-code.ts";

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

/** For verbs that need a reason. */
export function recordWithReason(flags: RecordFlags): { readonly by: string; readonly reason: string } {
  const { by, reason } = recordOf(flags);
  if (reason === undefined) throw usage("It needs a reason", '--reason "the bank is down"');
  return { by, reason };
}
