/** Where in the user's code a durable call was made. */
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** This package's own sources, whose frames are of no interest. */
const OWN_URL = new URL("../../", import.meta.url);
const OWN = [OWN_URL.href, OWN_URL.protocol === "file:" ? fileURLToPath(OWN_URL) : OWN_URL.href];

/** Deep enough for the frames between a call and its caller. */
const FRAMES = 40;

/** `file:line:column` of the nearest caller outside this package; `undefined` where the stack does not say. */
export function callerLocation(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  const locations = stack.split("\n").map(locationIn);
  return shorten(locations.find((location) => location !== undefined && !isOwn(location)));
}

function locationIn(frame: string): string | undefined {
  return /\((.+:\d+:\d+)\)$/.exec(frame)?.[1] ?? /^\s*at (?:async )?(.+:\d+:\d+)$/.exec(frame)?.[1];
}

function isOwn(location: string): boolean {
  return location.startsWith("node:") || OWN.some((own) => location.startsWith(own));
}

function shorten(location: string | undefined): string | undefined {
  const here = pathToFileURL(`${process.cwd()}${path.sep}`).href;
  return location?.replace(here, "").replace(`${process.cwd()}${path.sep}`, "");
}
