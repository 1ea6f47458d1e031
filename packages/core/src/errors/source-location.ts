/** Where in the user's code something happened, as far as a stack says. */
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { thrownStack } from "./thrown-value.ts";

/** Deep enough for the frames between a call and its caller. */
const FRAMES = 40;

/** `file:line:column` of the nearest caller outside this package; `undefined` where the stack does not say. */
export function callerLocation(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return firstUserFrame(stack);
}

/** `file:line:column` where an error was made; `undefined` for what is no error, or has no frame of the user's. */
export function thrownLocation(thrown: unknown): string | undefined {
  return firstUserFrame(thrownStack(thrown));
}

/** ` (file:line:column)` for a message, or nothing. */
export function inBrackets(location: string | undefined): string {
  return location === undefined ? "" : ` (${location})`;
}

/** The first frame of a stack that is neither Node's nor this package's. */
export function firstUserFrame(stack: string | undefined): string | undefined {
  if (stack === undefined) return undefined;
  const locations = stack.split("\n").map(locationIn);
  return shorten(locations.find((location) => location !== undefined && !isOwn(location)));
}

function locationIn(frame: string): string | undefined {
  return /^\s*at .*\((.+:\d+:\d+)\)$/.exec(frame)?.[1] ?? /^\s*at (?:async )?(.+:\d+:\d+)$/.exec(frame)?.[1];
}

function isOwn(location: string): boolean {
  return location.startsWith("node:") || ownFolders().some((own) => location.startsWith(own));
}

/** This package's own sources. In a bundle they cannot be told from the user's. */
function ownFolders(): readonly string[] {
  const here: string | undefined = import.meta.url;
  if (here === undefined || !/\/errors\/source-location\.[jt]s$/.test(here)) return [];
  const folder = new URL("../", here);
  return folder.protocol === "file:" ? [folder.href, fileURLToPath(folder)] : [folder.href];
}

function shorten(location: string | undefined): string | undefined {
  const folder = `${process.cwd()}${path.sep}`;
  return location?.replace(pathToFileURL(folder).href, "").replace(folder, "");
}
