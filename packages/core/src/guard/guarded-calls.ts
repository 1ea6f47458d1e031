/** The calls whose result differs from run to run, and what orchestration code uses instead. */
import { uuidOf } from "../host/uuid.ts";
import { type Answers, fillRandom } from "./answers.ts";

/** Part of a guarded call that a check needs. */
export type Violation = Pick<GuardedCall, "call" | "instead" | "answer">;

export interface GuardedCall {
  readonly call: string;
  readonly target: object;
  readonly key: string;
  readonly instead: string;
  /** If the first argument determines the result, only a call without it is guarded. */
  readonly isWithoutArgument?: true;
  /** Result in a region whose calls are answered; without it there is no answer. */
  readonly answer?: (answers: Answers, args: readonly unknown[]) => unknown;
}

const TIME = "ctx.now(), or await ctx.utcNow() for the worker's clock";
const FORMATTED = "it with a date as its argument, such as ctx.now(),";
const DELAY = "await ctx.scheduleTimer(delay)";
const CHANCE = "ctx.random()";
const nowOf = (answers: Answers): number => answers.now();
const ID = "await ctx.newGuid()";
const WORLD = "an activity";

/** Node has it from version 26 on. */
const { Temporal } = globalThis as { readonly Temporal?: { readonly Now: object } };
const TEMPORAL_NOW = [
  "instant",
  "plainDateISO",
  "plainDateTimeISO",
  "plainTimeISO",
  "zonedDateTimeISO",
  "timeZoneId",
];

function temporalCalls(): readonly GuardedCall[] {
  if (Temporal === undefined) return [];
  const target = Temporal.Now;
  return TEMPORAL_NOW.map((key) => ({ call: `Temporal.Now.${key}()`, target, key, instead: TIME }));
}

export const GUARDED_CALLS: readonly GuardedCall[] = [
  { call: "Date.now()", target: Date, key: "now", instead: TIME, answer: nowOf },
  { call: "performance.now()", target: performance, key: "now", instead: TIME, answer: nowOf },
  { call: "process.hrtime()", target: process, key: "hrtime", instead: TIME },
  { call: "process.hrtime.bigint()", target: process.hrtime, key: "bigint", instead: TIME },
  { call: "process.uptime()", target: process, key: "uptime", instead: TIME },
  ...temporalCalls(),
  {
    call: "Intl.DateTimeFormat.formatToParts()",
    target: Intl.DateTimeFormat.prototype,
    key: "formatToParts",
    instead: FORMATTED,
    isWithoutArgument: true,
  },
  {
    call: "Math.random()",
    target: Math,
    key: "random",
    instead: CHANCE,
    answer: (answers) => answers.random(),
  },
  {
    call: "crypto.getRandomValues()",
    target: crypto,
    key: "getRandomValues",
    instead: CHANCE,
    answer: (answers, [view]) => fillRandom(answers, view as ArrayBufferView),
  },
  {
    call: "crypto.randomUUID()",
    target: crypto,
    key: "randomUUID",
    instead: ID,
    answer: (answers) => uuidOf(fillRandom(answers, new Uint8Array(16))),
  },
  { call: "setTimeout()", target: globalThis, key: "setTimeout", instead: DELAY },
  { call: "setInterval()", target: globalThis, key: "setInterval", instead: DELAY },
  { call: "setImmediate()", target: globalThis, key: "setImmediate", instead: DELAY },
  {
    call: "AbortSignal.timeout()",
    target: AbortSignal,
    key: "timeout",
    instead: "ctx.race with ctx.scheduleTimer(delay)",
  },
  { call: "fetch()", target: globalThis, key: "fetch", instead: WORLD },
];

export const NEW_DATE: Violation = {
  call: "new Date()",
  instead: TIME,
  answer: nowOf,
};

/** An accessor that returns a function that is bound to its formatter. */
export const FORMAT: Violation = {
  call: "Intl.DateTimeFormat.format()",
  instead: FORMATTED,
};

export const CLIENT_CALL: Violation = {
  call: "a call of a client",
  instead:
    "an activity that makes the call, or ctx.scheduleSubOrchestration() and ctx.startOrchestration() to start others,",
};

export function describeViolation({ call, instead }: Violation): string {
  return `${call} in orchestration code gives another result on every replay; use ${instead} instead`;
}
