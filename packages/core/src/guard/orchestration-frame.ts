/**
 * Tells orchestration code from everything else in the process by the call stack: V8 keeps the chain of awaiting
 * async functions, and orchestration code is always awaited, directly or not, by a function of this name. Other
 * code that happens to run during a turn never is, so it is never accused (docs/decisions/0011). The name is a
 * property key in quotes, which minifiers leave alone.
 */
import { ORCHESTRATION_FRAME } from "../errors/stack-frames.ts";

const DEEPEST_STACK = 100;

const frames = {
  async "duroxide:orchestration"<T>(start: () => T | PromiseLike<T>): Promise<T> {
    return await start();
  },
};

/** Awaits what `start` returns, under the name that marks orchestration code. */
export function runMarked<T>(start: () => T | PromiseLike<T>): Promise<T> {
  return frames[ORCHESTRATION_FRAME](start);
}

/** Whether the caller is orchestration code. Costs about a microsecond: ask only while a turn is running. */
export function inOrchestrationCode(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = DEEPEST_STACK;
  // The frames themselves: writing them down as text, with positions, takes ten times as long as taking them.
  Error.prepareStackTrace = isMarked;
  const marked: { stack?: unknown } = {};
  Error.captureStackTrace(marked, inOrchestrationCode);
  const found = marked.stack === true;
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return found;
}

function isMarked(_error: Error, frames: readonly NodeJS.CallSite[]): boolean {
  return frames.some((frame) => frame.getFunctionName()?.includes(ORCHESTRATION_FRAME));
}
