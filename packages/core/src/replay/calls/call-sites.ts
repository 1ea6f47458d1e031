/**
 * The places in the user's code where durable calls were made, for warnings about them, and for events if `sourceLines`
 * is on. Reading the stack takes three microseconds, so warnings have the first calls of a program only; mistakes in
 * the code show in those calls too.
 */
import { firstUserFrame } from "../../errors/source-location.ts";
import { attempt } from "../../errors/thrown-value.ts";

const CALLS_PER_PROGRAM = 200;

/** Deep enough for the frames between a call and its caller. */
const FRAMES = 20;

/** V8 formats the stack when it is first read, so an unread stack costs little. */
interface CallSite {
  readonly stack?: unknown;
}

const taken = new WeakMap<object, number>();
const sites = new WeakMap<object, CallSite>();

/** Notes the caller's location as the origin of `subject`: of the first calls of a program, or of all. */
export function noteCallSite(subject: object, program: object, calls: "first" | "all" = "first"): void {
  const count = taken.get(program) ?? 0;
  if (calls === "first" && count >= CALLS_PER_PROGRAM) return;
  taken.set(program, count + 1);
  const site: CallSite = {};
  const limit = Error.stackTraceLimit;
  // Not an assignment, which throws where the intrinsics of the process are frozen.
  Reflect.set(Error, "stackTraceLimit", FRAMES);
  Error.captureStackTrace(site, noteCallSite);
  Reflect.set(Error, "stackTraceLimit", limit);
  sites.set(subject, site);
}

/** The origin of an error is the location of the call that failed. */
export function inheritCallSite(subject: object, from: object): void {
  const site = sites.get(from);
  if (site !== undefined) sites.set(subject, site);
}

/** `file:line:column`, where known. */
export function callSiteOf(subject: unknown): string | undefined {
  return typeof subject === "object" && subject !== null
    ? firstUserFrame(attempt(() => sites.get(subject)?.stack))
    : undefined;
}

/** Continues to note the calls of a program after a warning about it. */
export function keepNoting(program: object): void {
  taken.delete(program);
}
