/**
 * Replaces the guarded globals by checked functions while at least one runtime uses the guard. The check costs one
 * comparison outside turns; during a turn it reads the stack.
 *
 * - patches.P1: The globals are replaced once for all copies of this package in the process (host/shared.ts), by the
 *   one that begins first, and restored by the one that ends last. Each copy checks by its own turns.
 */
import { ConfigurationError, DuroxideError } from "../errors/duroxide-error.ts";
import { callerLocation, inBrackets } from "../errors/source-location.ts";
import { shared } from "../host/shared.ts";
import { type Answers, openRegion } from "./answers.ts";
import { checkClientCalls } from "./client-calls.ts";
import {
  CLIENT_CALL,
  describeViolation,
  FORMAT,
  GUARDED_CALLS,
  type GuardedCall,
  NEW_DATE,
  type Violation,
} from "./guarded-calls.ts";
import { policyInForce } from "./open-turns.ts";
import { inOrchestrationCode } from "./orchestration-frame.ts";
import { watchRaces } from "./races.ts";
import { canReplace, replace } from "./replace.ts";

interface SharedGuard {
  /** One check of each copy that uses the guard. */
  readonly checks: ((violation: Violation) => Answers | undefined)[];
  restorers: readonly (() => void)[];
}

/** patches.P1 */
const guard = shared<SharedGuard>("guard.1", () => ({ checks: [], restorers: [] }));

let users = 0;
let endClientChecks = (): void => {};

/**
 * Returns a function that removes the checks; each caller calls it once. ConfigurationError where the globals cannot be
 * replaced.
 */
export function installPatches(): () => void {
  if (users === 0) begin();
  users++;
  return () => {
    if (--users === 0) end();
  };
}

function begin(): void {
  if (guard.checks.length === 0) {
    const fixed = GUARDED_CALLS.find(({ target, key }) => !canReplace(target, key));
    if (fixed !== undefined) {
      throw new ConfigurationError(
        `determinismGuard: ${fixed.call} cannot be checked, because this process has frozen it (node --frozen-intrinsics); start without that, or with determinismGuard: "off"`,
      );
    }
    guard.restorers = [
      ...GUARDED_CALLS.map(patchMethod),
      patchDateConstructor(),
      patchDateFormat(),
      watchRaces(),
    ];
  }
  guard.checks.push(checkHere);
  endClientChecks = checkClientCalls(() => checkHere(CLIENT_CALL));
}

function end(): void {
  endClientChecks();
  guard.checks.splice(guard.checks.indexOf(checkHere), 1);
  if (guard.checks.length > 0) return;
  for (const restore of guard.restorers) restore();
  guard.restorers = [];
}

/** Returns the source of the answer; `undefined` for a call that is made as it is. */
function check(violation: Violation): Answers | undefined {
  let answers: Answers | undefined;
  for (const checkCopy of guard.checks) answers = checkCopy(violation) ?? answers;
  return answers;
}

/** Throws, warns, answers or does nothing, by the policy of the running turn and the region of the code. */
function checkHere(violation: Violation): Answers | undefined {
  const policy = policyInForce();
  if (policy === undefined) return undefined;
  const region = openRegion();
  if (region?.refusal !== undefined) throw region.refusal;
  if (region !== undefined && violation.answer !== undefined) return region.answers;
  if (region === undefined && !inOrchestrationCode()) return undefined;
  const message = `${describeViolation(violation)}${inBrackets(callerLocation())}`;
  if (policy.mode !== "error") {
    policy.warn(message);
    return undefined;
  }
  const refusal = new DuroxideError("nondeterministic-call", message);
  if (region !== undefined) region.refusal = refusal;
  throw refusal;
}

type Method = (...args: unknown[]) => unknown;

function patchMethod(guarded: GuardedCall): () => void {
  const { target, key, isWithoutArgument = false } = guarded;
  const original = Reflect.get(target, key) as Method;
  const checked = new Proxy(original, {
    apply(method, self, args) {
      const answers = !isWithoutArgument || args[0] === undefined ? check(guarded) : undefined;
      return answers === undefined ? Reflect.apply(method, self, args) : guarded.answer?.(answers, args);
    },
  });
  return replace(target, key, checked);
}

/** `new Date()` and `Date()` read the clock; with arguments they do not. */
function patchDateConstructor(): () => void {
  const original = Date;
  const checked = new Proxy(original, {
    construct(target, args, newTarget) {
      const answers = args.length === 0 ? check(NEW_DATE) : undefined;
      return Reflect.construct(target, answers === undefined ? args : [answers.now()], newTarget);
    },
    apply(target, self, args) {
      const answers = check(NEW_DATE);
      return answers === undefined ? Reflect.apply(target, self, args) : new target(answers.now()).toString();
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

/** Patches `format`: orchestration code gets a function that checks its argument, all other code the original. */
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
