/**
 * Tells the process that holds a lock, and whether it has ended: a store frees the locks of processes of this machine
 * that have ended, so that a restart does not wait for the end of their locks (docs/decisions/crashes.md).
 *
 * - processes.P1: A process counts as ended only where that is certain. A process that cannot be seen from here (another
 *   machine or boot, another container) and one that stands still have not ended.
 * - processes.P2: A process id alone decides nothing. It counts within one boot and one namespace, together with the
 *   time at which the process began. Where the system does not tell that time, an id that is in use is that of the
 *   process.
 */
import { createHash } from "node:crypto";
import { beginOf, isGone, processSpace } from "../host/process-facts.ts";

/** A process, named once and for all. */
export interface ProcessIdentity {
  /** The name of what gave out the process id: a boot of a machine, and a container of it. */
  readonly space: string;
  readonly pid: number;
  /** The time at which it began, in a form of the system; empty where that is not known. */
  readonly began: string;
}

/** The processes of a machine. */
export interface Processes {
  /** This process; `undefined` where the system does not tell enough. */
  own(): ProcessIdentity | undefined;
  /** Whether it has ended (processes.P1). */
  hasEnded(identity: ProcessIdentity): boolean;
}

/** Asks the operating system, for what cannot change only once. */
class SystemProcesses implements Processes {
  #own: { readonly identity: ProcessIdentity | undefined } | undefined;

  own(): ProcessIdentity | undefined {
    this.#own ??= { identity: ownIdentity() };
    return this.#own.identity;
  }

  hasEnded({ space, pid, began }: ProcessIdentity): boolean {
    if (!Number.isSafeInteger(pid) || pid <= 0 || space !== this.own()?.space) return false;
    if (isGone(pid)) return true;
    const now = beginOf(pid);
    return began !== "" && now !== "" && now !== began;
  }
}

/** The processes that the operating system knows. */
export const systemProcesses: Processes = new SystemProcesses();

function ownIdentity(): ProcessIdentity | undefined {
  const space = processSpace();
  return space === undefined ? undefined : { space, pid: process.pid, began: beginOf(process.pid) };
}

/** Digits of a UUID that say who holds a lock, with the dash among them. */
const HOLDER_LENGTH = 13;

/** The short name of a process: the first digits of the secrets of its locks. */
export function holderOf({ space, pid, began }: ProcessIdentity): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([space, pid, began]))
    .digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}`;
}

/** The secret of a lock: a UUID whose first digits say the holder. 74 of its bits are chance. */
export function secretOf(holder: string, uuid: string): string {
  return `${holder}${uuid.slice(HOLDER_LENGTH)}`;
}

/** The bounds of the secrets of a holder in the order of texts: the first, and what follows the last. */
export function secretsOf(holder: string): { readonly from: string; readonly below: string } {
  return { from: `${holder}-`, below: `${holder}.` };
}
