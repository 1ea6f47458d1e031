/**
 * Distinguishes rejections of orchestration code from all others, and exempts them from Node's default, which ends the
 * process.
 *
 * - rejections.R1: Ownership follows the async context: code that `owned` runs, and every promise reaction of that
 *   code, has the owner. Node restores the context of a promise when it reports its rejection.
 * - rejections.R2: Only the owner gets the report about an owned promise. Listeners of the process do not get it,
 *   because the rejection is not an error yet: a later `await` may still handle it.
 * - rejections.R3: All other events pass unchanged, so Node's default and the listeners of the process keep working.
 *   Therefore `process.emit` is wrapped: a listener for `unhandledRejection` would disable the default for all code.
 * - rejections.R4: The wrapper is installed while a runtime needs it. If other code has wrapped it again, it cannot be
 *   removed; it then passes all events on.
 * - rejections.R5: All copies of this package in the process have one wrapper (host/shared.ts). Copies that come and go
 *   in overlapping order would else leave one each.
 *
 * docs/decisions/orchestration-code.md.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "../host/originals.ts";
import { shared } from "../host/shared.ts";

/** Gets the reports about rejections of its code. */
export interface RejectionOwner {
  /** A promise was rejected and is not awaited yet. */
  rejected(promise: object, reason: unknown): void;
  /** A promise that was reported as rejected is now awaited. */
  handled(promise: object): void;
}

const owners = new AsyncLocalStorage<RejectionOwner | undefined>();

/** Runs code whose rejections, now and later, belong to `owner` (rejections.R1). */
export function owned<T>(owner: RejectionOwner, run: () => T): T {
  return owners.run(owner, run);
}

/** Runs code without an owner inside owned code, such as a call of a logger. */
export function disowned<T>(run: () => T): T {
  return owners.getStore() === undefined ? run() : owners.run(undefined, run);
}

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;

const PROBE = Symbol.for("duroxide:rejections");

interface SharedWrapper {
  /**
   * One function of each copy whose runtimes need it. True for an event about orchestration code: it counts as handled
   * (rejections.R2).
   */
  readonly interceptors: Set<(event: string | symbol, args: readonly unknown[]) => boolean>;
  probed: boolean;
  /** Removes the wrapper, if it is the outermost one. */
  unwrap: (() => void) | undefined;
}

/** One for all copies of this package in the process (rejections.R5). */
const wrapper = shared<SharedWrapper>("rejections.1", () => ({
  interceptors: new Set(),
  probed: false,
  unwrap: undefined,
}));

let users = 0;
const reported = new WeakMap<object, RejectionOwner>();
/** Owner of a rejection that Node, in the mode `strict`, has just reported as an uncaught exception. */
let strictlyReported: RejectionOwner | undefined;

/** Returns a function that undoes it; each caller calls it once. */
export function interceptRejections(): () => void {
  if (users++ === 0) {
    if (wrapper.interceptors.size === 0 && !isInPlace()) wrapper.unwrap = wrapEmit();
    wrapper.interceptors.add(intercepts);
  }
  return () => {
    // Node reports a recent rejection after the current callbacks have run.
    setImmediate(() => {
      if (--users > 0) return;
      wrapper.interceptors.delete(intercepts);
      if (wrapper.interceptors.size === 0) wrapper.unwrap?.();
    });
  };
}

/** Whether an earlier wrapper is still called, directly or by another wrapper around it (rejections.R4). */
function isInPlace(): boolean {
  wrapper.probed = false;
  Reflect.apply(process.emit, process, [PROBE]);
  return wrapper.probed;
}

function wrapEmit(): () => void {
  const own = Object.getOwnPropertyDescriptor(process, "emit");
  const next = process.emit as Emit;
  const emit: Emit = function (this: unknown, event, ...args) {
    if (event === PROBE) wrapper.probed = true;
    for (const isTaken of wrapper.interceptors) if (isTaken(event, args)) return true;
    return Reflect.apply(next, this, [event, ...args]);
  };
  Object.defineProperty(process, "emit", { value: emit, configurable: true, writable: true });
  return () => {
    if ((process.emit as Emit) !== emit) return;
    if (own === undefined) Reflect.deleteProperty(process, "emit");
    else Object.defineProperty(process, "emit", own);
  };
}

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
  // If hooks keep the async context (Node 22), the preceding exception has cleared the context.
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
