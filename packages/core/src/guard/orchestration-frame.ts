/**
 * Distinguishes orchestration code from all other code of the process by the call stack: V8 keeps the chain of awaiting
 * async functions, and a function of this name always awaits orchestration code, directly or indirectly. Other code
 * that runs during a turn has no such frame, so the guard never affects it (docs/decisions/orchestration-code.md).
 * The name is a property key in quotes, because minifiers do not change those.
 */
import { ORCHESTRATION_FRAME } from "../errors/stack-frames.ts";

/** Frames. A recursion is hardly deeper than that on Node's call stack; a chain of awaiting functions may be endless. */
const DEEPEST_STACK = 10_000;

const frames = {
  async "duroxide:orchestration"<T>(start: () => T | PromiseLike<T>): Promise<T> {
    return await start();
  },
};

/** Awaits what `start` returns, under the name that marks orchestration code. */
export function runMarked<T>(start: () => T | PromiseLike<T>): Promise<T> {
  return frames[ORCHESTRATION_FRAME](start);
}

/** Whether the caller is orchestration code. Costs about a microsecond, so call it only while a turn is running. */
export function inOrchestrationCode(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = DEEPEST_STACK;
  // Reads the frames as objects, because formatting them as text takes ten times as long as capturing them.
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
