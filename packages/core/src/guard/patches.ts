/**
 * Replaces the guarded globals by checked functions while at least one runtime uses the guard. The check costs one
 * comparison outside turns; during a turn it reads the stack.
 */
import { DuroxideError } from "../errors/duroxide-error.ts";
import { callerLocation, inBrackets } from "../errors/source-location.ts";
import { checkClientCalls } from "./client-calls.ts";
import {
  CLIENT_CALL,
  describeViolation,
  FORMAT,
  GUARDED_CALLS,
  type GuardedCall,
  NEW_DATE,
} from "./guarded-calls.ts";
import { policyInForce } from "./open-turns.ts";
import { inOrchestrationCode } from "./orchestration-frame.ts";

let users = 0;
let restorers: (() => void)[] = [];

/** Returns a function that removes the checks; each caller calls it once. */
export function installPatches(): () => void {
  if (users++ === 0) {
    const clients = checkClientCalls(() => check(CLIENT_CALL));
    restorers = [...GUARDED_CALLS.map(patchMethod), patchDateConstructor(), patchDateFormat(), clients];
  }
  return () => {
    if (--users > 0) return;
    for (const restore of restorers) restore();
    restorers = [];
  };
}

/** Throws, warns or does nothing, by the policy of the running turn. */
function check(violation: Pick<GuardedCall, "call" | "instead">): void {
  const policy = policyInForce();
  if (policy === undefined || !inOrchestrationCode()) return;
  const message = `${describeViolation(violation)}${inBrackets(callerLocation())}`;
  if (policy.mode === "error") throw new DuroxideError("nondeterministic-call", message);
  policy.warn(message);
}

type Method = (...args: unknown[]) => unknown;

function patchMethod(guarded: GuardedCall): () => void {
  const { target, key, isWithoutArgument = false } = guarded;
  const original = Reflect.get(target, key) as Method;
  const checked = new Proxy(original, {
    apply(method, self, args) {
      if (!isWithoutArgument || args[0] === undefined) check(guarded);
      return Reflect.apply(method, self, args);
    },
  });
  return replace(target, key, checked);
}

/** `new Date()` and `Date()` read the clock; with arguments they do not. */
function patchDateConstructor(): () => void {
  const original = Date;
  const checked = new Proxy(original, {
    construct(target, args, newTarget) {
      if (args.length === 0) check(NEW_DATE);
      return Reflect.construct(target, args, newTarget);
    },
    apply(target, self, args) {
      check(NEW_DATE);
      return Reflect.apply(target, self, args);
    },
  });
  const restorers = [
    replace(globalThis, "Date", checked),
    // Libraries recognise a date by its constructor.
    replace(original.prototype, "constructor", checked),
  ];
  return () => {
    for (const restore of restorers) restore();
  };
}

/** For orchestration code `format` is a function that checks its argument; all other code gets the original. */
function patchDateFormat(): () => void {
  const target = Intl.DateTimeFormat.prototype;
  const own = Object.getOwnPropertyDescriptor(target, "format");
  const original = own?.get;
  if (own === undefined || original === undefined) return () => {};
  function get(this: Intl.DateTimeFormat): Format {
    const format = Reflect.apply<Intl.DateTimeFormat, [], Format>(original as () => Format, this, []);
    if (policyInForce() === undefined || !inOrchestrationCode()) return format;
    return (date) => {
      if (date === undefined) check(FORMAT);
      return format(date);
    };
  }
  Object.defineProperty(target, "format", { ...own, get });
  return () => {
    if (Object.getOwnPropertyDescriptor(target, "format")?.get === get) {
      Object.defineProperty(target, "format", own);
    }
  };
}

type Format = Intl.DateTimeFormat["format"];

/** Undoing keeps a value that other code has set since. */
function replace(target: object, key: string, checked: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, key);
  Object.defineProperty(target, key, {
    value: checked,
    configurable: true,
    writable: true,
    enumerable: own?.enumerable ?? false,
  });
  return () => {
    if (Reflect.get(target, key) !== checked) return;
    if (own === undefined) Reflect.deleteProperty(target, key);
    else Object.defineProperty(target, key, own);
  };
}
