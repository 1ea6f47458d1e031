/** The flags of verbs as data: parsing, help and completion are made from them. */
import type { Moment } from "../text/span.ts";

interface Described {
  readonly help: string;
  /** One letter. */
  readonly short?: string;
}

/** A flag without a value. */
export interface SwitchFlag extends Described {
  readonly kind: "switch";
}

/** A flag with one text. */
export interface TextFlag extends Described {
  readonly kind: "text";
  /** Name of the text in the help: `--name NAME`. */
  readonly value: string;
  readonly choices?: readonly string[];
}

/** A flag with some of its choices, separated by commas or given several times. */
export interface ListFlag extends Described {
  readonly kind: "list";
  readonly value: string;
  readonly choices: readonly string[];
}

/** A flag that may be given several times, with one text each, which may contain commas. */
export interface TextsFlag extends Described {
  readonly kind: "texts";
  readonly value: string;
}

/** A flag with a whole number. */
export interface NumberFlag extends Described {
  readonly kind: "number";
  readonly value: string;
  readonly least: number;
  /** Number that the flag stands for without one; if absent, it needs one. */
  readonly bare?: number;
}

/** A flag with a time span such as `90s`, `2h` or `1d`; its value is ms. */
export interface DurationFlag extends Described {
  readonly kind: "duration";
  readonly value: string;
}

/** A flag with a time span before now, or an instant. */
export interface MomentFlag extends Described {
  readonly kind: "moment";
  readonly value: string;
}

/** A flag with a value. */
export type ValueFlag = TextFlag | ListFlag | TextsFlag | NumberFlag | DurationFlag | MomentFlag;

/** Any flag. */
export type Flag = SwitchFlag | ValueFlag;

/** Flags by their names without dashes. */
export type Flags = Readonly<Record<string, Flag>>;

/** Value of a flag after parsing. */
export type FlagValue<F extends Flag> = F extends SwitchFlag
  ? boolean
  : F extends TextFlag
    ? string | undefined
    : F extends ListFlag | TextsFlag
      ? readonly string[] | undefined
      : F extends MomentFlag
        ? Moment | undefined
        : number | undefined;

/** Values of flags after parsing. */
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: FlagValue<F[K]> };

/** Flags that every verb has. */
export const COMMON_FLAGS = {
  store: {
    kind: "text",
    value: "STORE",
    help: "sqlite:FILE, cosmos:https://ACCOUNT/DATABASE/CONTAINER, or https://SERVER/PATH",
  },
  config: {
    kind: "text",
    value: "FILE",
    help: "a duroxide.config.ts or .js; by default the one of this folder",
  },
  output: {
    kind: "text",
    short: "o",
    value: "FORM",
    choices: ["table", "json", "jsonl", "ids"],
    help: "table (default), json, jsonl or ids",
  },
  "no-color": { kind: "switch", help: "no colours" },
  help: { kind: "switch", short: "h", help: "explains the command" },
} as const satisfies Flags;

/** Flags of verbs that print lists or views. */
export const LIMIT = {
  limit: { kind: "number", value: "N", least: 1, help: "the most lines (50)" },
} as const satisfies Flags;

export const EXECUTION = {
  execution: {
    kind: "number",
    short: "x",
    value: "N",
    least: 1,
    help: "an execution; the newest by default",
  },
} as const satisfies Flags;

export const WATCH = {
  watch: { kind: "number", value: "[S]", least: 1, bare: 2, help: "prints anew every S seconds (2)" },
} as const satisfies Flags;

/** Flags of verbs that change something. */
export const CHANGE = {
  yes: { kind: "switch", short: "y", help: "does not ask" },
  "dry-run": { kind: "switch", help: "says what would be done" },
} as const satisfies Flags;

/** The same for changes that the store has no place to record: the record is a line on stderr. */
export const RECORD_ON_STDERR = {
  reason: { kind: "text", value: "TEXT", help: "why; each change is then a line of JSON on stderr" },
  by: { kind: "text", value: "WHO", help: "who, for that line; the user of this machine by default" },
} as const satisfies Flags;

/** The reason and the author of a change. */
export const RECORD = {
  reason: { kind: "text", value: "TEXT", help: "why, for the record" },
  by: { kind: "text", value: "WHO", help: "who, for the record; the user of this machine by default" },
} as const satisfies Flags;
