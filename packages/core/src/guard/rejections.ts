/**
 * Tells a rejection of orchestration code from any other, and keeps it from Node's default, which ends the process.
 *
 *   R1  Ownership follows the async context: what `owned` runs, and every promise reaction that comes of it, has the
 *       owner. Node restores the context of a promise when it reports its rejection.
 *   R2  A report about an owned promise goes to its owner only. Listeners of the process do not see it, for nothing
 *       has gone wrong yet: a later `await` may still handle it.
 *   R3  Every other event passes unchanged, so Node's default and the listeners of the process stay as they are. That
 *       is why `process.emit` is wrapped: a listener for `unhandledRejection` would disable the default for all.
 *   R4  The wrapper is there while somebody needs it. A wrapper that somebody else has wrapped in turn cannot be taken
 *       away; it then lets everything pass.
 *
 * docs/decisions/0018.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Is told what becomes of the rejections of its code. */
export interface RejectionOwner {
  /** Nobody awaits the rejected promise yet. */
  rejected(promise: object, reason: unknown): void;
  /** Somebody has come to await it. */
  handled(promise: object): void;
}

const owners = new AsyncLocalStorage<RejectionOwner | undefined>();

/** Runs code whose rejections, now and later, belong to `owner` (R1). */
export function owned<T>(owner: RejectionOwner, run: () => T): T {
  return owners.run(owner, run);
}

/** Runs what is not the owner's code although it is called from there, such as a logger. */
export function disowned<T>(run: () => T): T {
  return owners.getStore() === undefined ? run() : owners.run(undefined, run);
}

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;

const PROBE = Symbol("duroxide:rejections");

let users = 0;
let probed = false;
/** Removes the wrapper, where it stands at the top. */
let unwrap: (() => void) | undefined;
const reported = new WeakMap<object, RejectionOwner>();
/** In the mode `strict` Node reports a rejection as an uncaught exception first. */
let strictlyReported: RejectionOwner | undefined;

/** Returns what undoes it; each caller calls that once. */
export function interceptRejections(): () => void {
  if (users++ === 0 && !isInPlace()) unwrap = wrapEmit();
  return () => {
    // What was rejected a moment ago is reported when the current callbacks have run.
    setImmediate(() => {
      if (--users === 0) unwrap?.();
    });
  };
}

/** Whether a wrapper of earlier is still called, directly or by what somebody else has put around it (R4). */
function isInPlace(): boolean {
  probed = false;
  Reflect.apply(process.emit, process, [PROBE]);
  return probed;
}

function wrapEmit(): () => void {
  const own = Object.getOwnPropertyDescriptor(process, "emit");
  const next = process.emit as Emit;
  const emit: Emit = function (this: unknown, event, ...args) {
    if (event === PROBE) probed = true;
    return (users > 0 && intercepts(event, args)) || Reflect.apply(next, this, [event, ...args]);
  };
  Object.defineProperty(process, "emit", { value: emit, configurable: true, writable: true });
  return () => {
    if ((process.emit as Emit) !== emit) return;
    if (own === undefined) Reflect.deleteProperty(process, "emit");
    else Object.defineProperty(process, "emit", own);
  };
}

/** True for an event that is about orchestration code alone: it counts as handled (R2). */
function intercepts(event: string | symbol, args: readonly unknown[]): boolean {
  switch (event) {
    case "unhandledRejection":
      return takeRejection(args[1] as object, args[0]);
    case "rejectionHandled":
      return takeHandled(args[0] as object);
    case "uncaughtExceptionMonitor":
    case "uncaughtException":
      strictlyReported = args[1] === "unhandledRejection" ? owners.getStore() : undefined;
      return strictlyReported !== undefined;
    default:
      return false;
  }
}

function takeRejection(promise: object, reason: unknown): boolean {
  // Where async contexts are kept by hooks (Node 22), the exception before has taken the context away.
  const owner = strictlyReported ?? owners.getStore();
  strictlyReported = undefined;
  if (owner === undefined) return false;
  reported.set(promise, owner);
  owners.run(undefined, () => owner.rejected(promise, reason));
  return true;
}

function takeHandled(promise: object): boolean {
  const owner = reported.get(promise);
  owner?.handled(promise);
  return owner !== undefined;
}
