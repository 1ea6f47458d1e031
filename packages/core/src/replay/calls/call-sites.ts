/**
 * Where in the user's code durable calls were made, for warnings about them. To look at the stack takes three
 * microseconds, so it is done for the first calls of a program only; a mistake in the code shows in those, too.
 */
import { firstUserFrame } from "../../errors/source-location.ts";

const CALLS_PER_PROGRAM = 200;

/** Deep enough for the frames between a call and its caller. */
const FRAMES = 20;

/** V8 makes the text when it is read. */
interface CallSite {
  readonly stack?: string;
}

const taken = new WeakMap<object, number>();
const sites = new WeakMap<object, CallSite>();

/** Notes that `subject` stems from the caller. */
export function noteCallSite(subject: object, program: object): void {
  const count = taken.get(program) ?? 0;
  if (count >= CALLS_PER_PROGRAM) return;
  taken.set(program, count + 1);
  const site: CallSite = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(site, noteCallSite);
  Error.stackTraceLimit = limit;
  sites.set(subject, site);
}

/** An error stems from where the call that failed was made. */
export function inheritCallSite(subject: object, from: object): void {
  const site = sites.get(from);
  if (site !== undefined) sites.set(subject, site);
}

/** `file:line:column`, where known. */
export function callSiteOf(subject: unknown): string | undefined {
  return typeof subject === "object" && subject !== null
    ? firstUserFrame(sites.get(subject)?.stack)
    : undefined;
}

/** After a warning about a program its calls are noted further. */
export function keepNoting(program: object): void {
  taken.delete(program);
}
