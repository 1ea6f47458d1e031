/** Parses the words of a command line into the flags of a verb. */
import { parseArgs } from "node:util";
import { usage } from "../errors/exit-code.ts";
import { MOMENT, type Moment, parseMoment, parseSpan } from "../text/span.ts";
import { COMMON_FLAGS, type Flag, type Flags, type ValueFlag } from "./flags.ts";
import { nearest } from "./nearest.ts";

/** The arguments of one call. */
export interface Parsed {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Throws a `CommandError` for what the verb does not know. `name` is the verb. */
export function parse(name: string, flags: Flags, args: readonly string[]): Parsed {
  const known = withoutInherited({ ...COMMON_FLAGS, ...flags });
  const options = Object.fromEntries(
    Object.entries(known).map(([flag, { kind, short }]) => [
      flag,
      {
        type: kind === "switch" ? ("boolean" as const) : ("string" as const),
        ...((kind === "list" || kind === "texts") && { multiple: true }),
        ...(short !== undefined && { short }),
      },
    ]),
  );
  const { tokens, positionals } = parseArgs({
    args: withBareNumbers(args, known),
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, unknown> = {};
  for (const [flag, { kind }] of Object.entries(known)) values[flag] = kind === "switch" ? false : undefined;
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const flag = known[token.name];
    if (flag === undefined) throw unknownFlag(name, token.rawName, args[token.index] ?? "", known);
    if (token.inlineValue === false) refuseFlagAsValue(token.rawName, token.value);
    const isTaken = Object.hasOwn(flags, token.name) && values[token.name] !== undefined;
    if (isTaken && TAKEN_ONCE.has(flag.kind)) throw usage(`${token.rawName} stands there twice`);
    values[token.name] = add(values[token.name], flag, token.rawName, token.value);
  }
  return { words: positionals, values };
}

/** A flag such as --toString is none. */
function withoutInherited(flags: Flags): Flags {
  return Object.assign(Object.create(null) as object, flags);
}

/**
 * Kinds of flags that are refused when given twice, because one value would be left out. A common flag replaces that of
 * an alias.
 */
const TAKEN_ONCE: ReadonlySet<Flag["kind"]> = new Set(["text", "number", "duration", "moment"]);

/** A flag without its value would take the next flag, such as --dry-run, for it. A single dash is stdin. */
function refuseFlagAsValue(flag: string, value: string): void {
  if (!/^-[-a-z]/i.test(value)) return;
  throw usage(`${flag} needs a value before ${value}`, `a value that begins with a dash: ${flag}=${value}`);
}

/** A flag that needs no number gets its usual one if none follows. */
function withBareNumbers(args: readonly string[], known: Flags): string[] {
  const end = args.indexOf("--");
  return args.map((arg, index) => {
    if (end >= 0 && index > end) return arg;
    const flag = arg.startsWith("--") ? known[arg.slice(2)] : undefined;
    if (flag?.kind !== "number" || flag.bare === undefined) return arg;
    return /^\d+$/.test(args[index + 1] ?? "") ? arg : `${arg}=${flag.bare}`;
  });
}

function unknownFlag(verb: string, given: string, word: string, known: Flags): Error {
  const name = given.replace(/^-+/, "");
  const near = nearest(name, Object.keys(known));
  const meant = near === undefined ? about(name, known) : [near];
  const suggestion =
    meant.length === 0 ? "" : `; did you mean ${meant.map((each) => `--${each}`).join(", ")}?`;
  const dash = given.startsWith("--")
    ? ""
    : `; an id that begins with a dash stands behind --: duroxide ${verb} -- ${word}`;
  return usage(`There is no flag ${given}${suggestion}`, `duroxide ${verb} --help lists the flags${dash}`);
}

/** The flags whose help has the word. */
function about(word: string, known: Flags): string[] {
  const has = ({ help }: Flag): boolean =>
    help
      .toLowerCase()
      .split(/[^a-z]+/)
      .includes(word.toLowerCase());
  return Object.keys(known).filter((name) => known[name] !== undefined && has(known[name]));
}

function add(before: unknown, flag: Flag, name: string, value: string | undefined): unknown {
  if (flag.kind !== "switch") return addValue(before, flag, name, value ?? "");
  if (value !== undefined) throw usage(`${name} takes no value`);
  return true;
}

function addValue(before: unknown, flag: ValueFlag, name: string, value: string): unknown {
  if (value === "") throw usage(`${name} needs a value: ${name} ${flag.value}`);
  const earlier = (before as readonly string[] | undefined) ?? [];
  switch (flag.kind) {
    case "text":
      return oneOf(flag.choices, name, value);
    case "texts":
      return [...earlier, value];
    case "list": {
      const parts = value.split(",").filter((part) => part !== "");
      return [...earlier, ...parts.map((part) => oneOf(flag.choices, name, part))];
    }
    case "number":
      return wholeNumber(name, value, flag.least);
    case "duration":
      return durationMs(name, value);
    case "moment":
      return moment(name, value);
  }
}

function oneOf(choices: readonly string[] | undefined, name: string, value: string): string {
  if (choices === undefined || choices.includes(value)) return value;
  throw usage(`${name} is one of ${choices.join(", ")}; got "${value}"`);
}

function wholeNumber(name: string, value: string, least: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number >= least) return number;
  throw usage(`${name} is a whole number of ${least} or more; got "${value}"`);
}

function moment(name: string, value: string): Moment {
  const parsed = parseMoment(value);
  if (parsed === undefined) throw usage(`${name} is ${MOMENT}; got "${value}"`);
  return parsed;
}

function durationMs(name: string, value: string): number {
  const ms = parseSpan(value);
  if (ms === undefined) throw usage(`${name} is a time span such as 90s, 2h or 1d; got "${value}"`);
  return ms;
}
