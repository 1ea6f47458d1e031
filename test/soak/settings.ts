/** Settings of a soak, and the times that follow from the length of a lock. */
import type { StoreAddress, StoreName } from "./stores/soak-store.ts";

export interface SoakOptions {
  readonly store: StoreName;
  readonly seed: number;
  /** How long instances are started and processes are interrupted. */
  readonly durationMs: number;
  readonly processes: number;
  /** Innocent ones. */
  readonly instances: number;
  /** Number of hostile instances beside them. Without any there are no killers either. */
  readonly hostile: number;
  /** Duration of the locks of turns and activities, ms. */
  readonly lockMs: number;
  /** Once nothing is interrupted any more: how long it may take until another instance has ended. */
  readonly settleMs: number;
  /** Called with progress, a line at a time. */
  readonly print: (line: string) => void;
}

/** Right, or a deployment whose code was changed carelessly and which lacks handlers. */
export type Deployment = "right" | "other";

/** Settings of a process of the soak. They travel as JSON. */
export interface WorkerSettings {
  readonly name: string;
  readonly store: StoreAddress;
  /** Folder of side logs and warnings. */
  readonly folder: string;
  readonly lockMs: number;
  readonly deployment: Deployment;
}

/** The limit of attempts that processes are given. The default of 10 makes a soak longer and shows nothing else. */
export const MAX_ATTEMPTS = 4;

/**
 * A short lock is renewed at half its time. A process that stands still for less than the other half keeps its locks;
 * the rest is for a slow machine.
 */
export function timesOf(lockMs: number): {
  /** The longest block that lets no lock end. */
  readonly safeBlockMs: number;
  /** A block of this length may let a lock end. */
  readonly excuseMs: number;
  readonly longestBlockMs: number;
  readonly freezeMs: number;
} {
  return {
    safeBlockMs: lockMs * 0.25,
    excuseMs: lockMs * 0.3,
    longestBlockMs: lockMs * 0.8,
    freezeMs: lockMs * 1.3,
  };
}
