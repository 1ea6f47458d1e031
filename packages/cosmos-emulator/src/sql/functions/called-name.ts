/** The check of calls of functions, and the names under which SQLite knows functions. */
import { queryError } from "../syntax/query-error.ts";
import type { CallNode } from "../syntax/tree.ts";
import { type BuiltIn, builtIns } from "./built-ins.ts";

/** Most arguments of a call; a function of SQLite takes not many more. */
const MAX_ARGUMENTS = 100;

/** Functions that the service has and this endpoint does not: refused by name, not as unknown. */
const UNSUPPORTED: ReadonlySet<string> = new Set(
  (
    "ACOS ARRAY_CONCAT ARRAY_CONTAINS_ALL ARRAY_CONTAINS_ANY ARRAY_SLICE ASIN ATAN ATN2 CHOOSE COS COT " +
    "DATETIMEADD DATETIMEBIN DATETIMEDIFF DATETIMEFROMPARTS DATETIMEPART DATETIMETOTICKS DATETIMETOTIMESTAMP " +
    "DEGREES DOCUMENTID EXP FULLTEXTCONTAINS FULLTEXTCONTAINSALL FULLTEXTCONTAINSANY FULLTEXTSCORE " +
    "GETCURRENTTICKS GETCURRENTTICKSSTATIC INTADD INTBITAND INTBITLEFTSHIFT INTBITNOT INTBITOR INTBITRIGHTSHIFT " +
    "INTBITXOR INTDIV INTMOD INTMUL INTSUB LASTINDEXOF LOG LOG10 LTRIM NUMBERBIN OBJECTTOARRAY PI POWER RADIANS " +
    "RAND REGEXMATCH REPLICATE REVERSE RRF RTRIM SETDIFFERENCE SETINTERSECT SETUNION SIGN SIN SQRT SQUARE " +
    "STRINGJOIN STRINGSPLIT STRINGTOARRAY STRINGTOBOOLEAN STRINGTONULL STRINGTONUMBER STRINGTOOBJECT TAN " +
    "TICKSTODATETIME TIMESTAMPTODATETIME TRUNC VECTORDISTANCE"
  ).split(" "),
);

/** Functions by name, to check calls, which computes nothing. */
const TIMELESS: ReadonlyMap<string, BuiltIn> = new Map(
  builtIns(() => 0).map((builtIn) => [builtIn.name, builtIn]),
);

/** Names the called function in SQLite. Throws CosmosError 400 if there is none, or none with so many arguments. */
export function calledName(call: CallNode): string {
  const wanted = call.name.toUpperCase();
  if (UNSUPPORTED.has(wanted) || wanted.startsWith("ST_")) {
    throw queryError("SC2100", `The function ${call.name} is not supported by this endpoint.`, call);
  }
  const builtIn = TIMELESS.get(wanted);
  if (builtIn === undefined) {
    throw queryError("SC2005", `'${call.name}' is not a recognized built-in function name.`, call);
  }
  const { name, minArgs } = builtIn;
  const maxArgs = Math.min(builtIn.maxArgs, MAX_ARGUMENTS);
  if (call.args.length < minArgs || call.args.length > maxArgs) {
    const arity = minArgs === maxArgs ? String(minArgs) : `${minArgs} to ${maxArgs}`;
    const message = `The ${name} function takes ${arity} argument(s), not ${call.args.length}.`;
    throw queryError("SC2050", message, call);
  }
  return sqlName(name);
}

/** Returns the name under which a built-in is registered with SQLite. */
export function sqlName(name: string): string {
  return `cosmos_${name.toLowerCase()}`;
}
