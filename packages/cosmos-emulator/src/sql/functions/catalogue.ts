/** All built-in functions by name, and how a call of one is checked. */
import { queryError } from "../syntax/query-error.ts";
import type { CallNode } from "../syntax/tree.ts";
import { ARRAYS } from "./arrays.ts";
import type { BuiltIn } from "./built-in.ts";
import { currentTime } from "./current-time.ts";
import { MATH } from "./math.ts";
import { STRINGS } from "./strings.ts";
import { TYPE_CHECKS } from "./type-checks.ts";
import { isUnsupported } from "./unsupported.ts";

/** Most arguments of a call; a function of SQLite takes not many more. */
const MAX_ARGUMENTS = 100;

/** Lists every function of the language. `now` returns milliseconds since the epoch. */
export function builtIns(now: () => number): readonly BuiltIn[] {
  return [...ARRAYS, ...currentTime(now), ...MATH, ...STRINGS, ...TYPE_CHECKS];
}

/** Functions by name, to check calls, which computes nothing. */
const TIMELESS: ReadonlyMap<string, BuiltIn> = new Map(
  builtIns(() => 0).map((builtIn) => [builtIn.name, builtIn]),
);

/** Names the called function in SQLite. Throws CosmosError 400 if there is none, or none with so many arguments. */
export function calledName(call: CallNode): string {
  if (isUnsupported(call.name)) {
    throw queryError("SC2100", `The function ${call.name} is not supported by this endpoint.`, call);
  }
  const builtIn = TIMELESS.get(call.name.toUpperCase());
  if (builtIn === undefined) {
    throw queryError("SC2005", `'${call.name}' is not a recognized built-in function name.`, call);
  }
  const { name, minArgs } = builtIn;
  const maxArgs = Math.min(builtIn.maxArgs, MAX_ARGUMENTS);
  if (call.args.length < minArgs || call.args.length > maxArgs) {
    const wanted = minArgs === maxArgs ? String(minArgs) : `${minArgs} to ${maxArgs}`;
    const message = `The ${name} function takes ${wanted} argument(s), not ${call.args.length}.`;
    throw queryError("SC2050", message, call);
  }
  return sqlName(name);
}

/** Returns the name under which a built-in is registered with SQLite. */
export function sqlName(name: string): string {
  return `cosmos_${name.toLowerCase()}`;
}
