/** Finds the frames of the user's code in a stack. */
import { fileURLToPath } from "node:url";
import { shared } from "../host/shared.ts";

/** The name of the frame that calls orchestration code. Frames below it belong to the caller of the turn. */
export const ORCHESTRATION_FRAME = "duroxide:orchestration";

/** The longest part of a stack that is read, in UTF-16 units, because code can set `stack` to any value. */
const LONGEST_READ = 65_536;

/** Node's and Deno's own frames between the runtime and a handler. Those of other modules of Node say what the handler called. */
const OF_CALLS = /^(?:node:(?:internal\/|async_hooks:)|ext:)/;

/** A frame of a named function. Names and folders may have brackets, so the location begins where a path does. */
const OF_FUNCTION = /^\s*at .*? \(((?:[a-z][a-z\d+.-]*:|[/\\.]).*:\d+:\d+)\)$/i;
/** One whose file is only a name. */
const OF_NAMED_SCRIPT = /^\s*at .*\((.+:\d+:\d+)\)$/;
const OF_ANONYMOUS = /^\s*at (?:async )?(.+:\d+:\d+)$/;

/** `file:line:column` of a frame; `undefined` for any other line. */
export function locationIn(frame: string): string | undefined {
  for (const pattern of [OF_FUNCTION, OF_NAMED_SCRIPT, OF_ANONYMOUS]) {
    const location = pattern.exec(frame)?.[1];
    if (location !== undefined) return location;
  }
  return undefined;
}

/** Whether a location is in the sources of Node or Deno, or in this package's. */
export function isForeign(location: string): boolean {
  return /^(?:node|ext):/.test(location) || isOwn(location);
}

/**
 * The frames of a stack without the header, one a line, without frames of this package and of Node's internals; whole
 * lines, at most `longest` UTF-16 units. `undefined` if there is none.
 */
export function userFrames(stack: string, message: string, longest: number): string | undefined {
  let frames = "";
  for (const line of belowHeader(stack, message).split("\n")) {
    if (!/^\s+at /.test(line)) continue;
    if (line.includes(ORCHESTRATION_FRAME)) break;
    const location = locationIn(line);
    if (location !== undefined && (OF_CALLS.test(location) || isOwn(location))) continue;
    const frame = `${frames === "" ? "" : "\n"}    ${line.trim()}`;
    if (frames.length + frame.length > longest) break;
    frames += frame;
  }
  return frames === "" ? undefined : frames;
}

/** Removes the header with the message, because a message may have lines that look like frames. */
function belowHeader(stack: string, message: string): string {
  const from = stack.indexOf(message);
  const skipped = from < 0 ? 0 : from + message.length;
  return stack.slice(skipped, skipped + LONGEST_READ);
}

/**
 * The place where this package is installed. `src` is shipped beside `dist`, and frames lead there where source maps
 * are on. So do frames of a bundle with source maps; in one without, this package cannot be distinguished from the
 * user's code.
 */
const INSTALLED = /[\\/]@duroxide-ts[\\/]core[\\/](?:dist|src)[\\/]/;

/** The folders of this package's sources, of all its copies in the process: the guard of one runs for all. */
const OWN_FOLDERS = shared("folders.1", () => new Set<string>());
for (const folder of ownFolders()) OWN_FOLDERS.add(folder);

function isOwn(location: string): boolean {
  if (INSTALLED.test(location)) return true;
  for (const own of OWN_FOLDERS) if (location.startsWith(own)) return true;
  return false;
}

/** Not by `new URL(path, import.meta.url)`: bundlers look for that file, and Next fails where it is none. */
function ownFolders(): readonly string[] {
  const here: string | undefined = import.meta.url;
  const root = here && /^(.*\/)(?:dist|src)\/errors\/stack-frames\.[jt]s$/.exec(here)?.[1];
  if (!root) return [];
  const folders = [`${root}dist/`, `${root}src/`];
  return folders.flatMap((folder) =>
    folder.startsWith("file:") ? [folder, fileURLToPath(folder)] : [folder],
  );
}
