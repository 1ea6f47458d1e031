/**
 * Options are checked by name at run time, because JavaScript programs have no compiler, and an ignored misspelt option
 * would show only in production.
 *
 * - option-list.L1: A list is typed by its options, so an option that is added to the type and not to the list does not
 *   compile.
 * - option-list.L2: For correct options a check costs one look-up for each name and allocates nothing, because calls of
 *   orchestrations are checked at every replay.
 */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { nearestName } from "./nearest-name.ts";

/** The names that an options object may have. */
export type OptionList = ReadonlySet<string>;

/** `names` has every option of the type, and no other (option-list.L1). */
export function optionList<Options>(names: Readonly<Record<keyof Options, true>>): OptionList {
  return new Set(Object.keys(names));
}

/** The fault in the names of an options object; `undefined` if there is none, or if there are no options. */
export function optionFault(where: string, options: unknown, known: OptionList): string | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    return `${where}: the options must be an object with ${namesOf(known)}; got ${shown(options)}`;
  }
  for (const name in options) {
    if (!known.has(name) && !isEverywhere(options, name)) return unknownOption(where, name, known);
  }
  return undefined;
}

/** Some libraries add enumerable properties to Object.prototype, and so to every options object. */
function isEverywhere(options: object, name: string): boolean {
  return name in Object.prototype && !Object.hasOwn(options, name);
}

/** InvalidInputError for options that are not an object, and for a name that is not in the list. */
export function checkOptions(where: string, options: unknown, known: OptionList): void {
  const fault = optionFault(where, options, known);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

function unknownOption(where: string, name: string, known: OptionList): string {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  const list = `${known.size === 1 ? "The only option is" : "The options are"} ${namesOf(known)}`;
  return `${where}: there is no option "${name}"${hint === "" ? ". " : `${hint} `}${list}`;
}

function namesOf(known: OptionList): string {
  return [...known].join(", ");
}

const LONGEST_SHOWN = 40;

/** A value as messages show it: short; never throws. */
export function shown(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value);
  }
  if (Array.isArray(value)) return "an array";
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
