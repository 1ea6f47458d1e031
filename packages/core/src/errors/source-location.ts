/** Locations in the user's code, taken from stacks. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { RemoteFailure } from "./duroxide-error.ts";
import { isForeign, locationIn } from "./stack-frames.ts";
import { attempt, isA, stackText, thrownStack } from "./thrown-value.ts";

/** Deep enough for the frames between a call and its caller. */
const FRAMES = 40;

/** `file:line:column` of the nearest caller outside this package; `undefined` if the stack has none. */
export function callerLocation(): string | undefined {
  const limit = Error.stackTraceLimit;
  // Not an assignment, which throws where the intrinsics of the process are frozen.
  Reflect.set(Error, "stackTraceLimit", FRAMES);
  const here = new Error();
  Reflect.set(Error, "stackTraceLimit", limit);
  return firstUserFrame(thrownStack(here));
}

/**
 * `file:line:column` where an error was created; `undefined` for a value that is not an error, has no frame of the
 * user's code, or was restored from history.
 */
export function thrownLocation(thrown: unknown): string | undefined {
  return isA(thrown, RemoteFailure) ? undefined : firstUserFrame(thrownStack(thrown));
}

/** ` (file:line:column)` for a message, or nothing. */
export function inBrackets(location: string | undefined): string {
  return location === undefined ? "" : ` (${location})`;
}

/** The first frame of a stack that is neither Node's nor this package's. */
export function firstUserFrame(stack: unknown): string | undefined {
  const locations = stackText(stack)?.split("\n").map(locationIn) ?? [];
  return shorten(locations.find((location) => location !== undefined && !isForeign(location)));
}

/** Makes a path of the URL of a file, as a person writes it: without escapes, and without the query of a module that was loaded again. */
function shorten(location: string | undefined): string | undefined {
  const [, file, position = ""] = /^(.*?)((?::\d+)*)$/.exec(location ?? "") ?? [];
  if (!file) return undefined;
  const full = file.startsWith("file:") ? (attempt(() => fileURLToPath(file)) ?? file) : file;
  // A folder that was deleted cannot be named.
  const folder = `${attempt(() => process.cwd()) ?? ""}${path.sep}`;
  return `${full.replace(folder, "")}${position}`;
}
