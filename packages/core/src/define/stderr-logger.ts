/**
 * The default logger: writes warnings and errors to stderr, one readable line each. A stack is indented below its line.
 * `info` and `debug` entries are not written (docs/decisions/observers.md).
 *
 * Invariants (tests cite them):
 * - stderr-logger.SL1: A call never throws, with any fields, and ends no process whose stderr cannot be written.
 * - stderr-logger.SL2: An entry takes a bounded number of characters, and no control character of a field reaches the
 *   terminal.
 * - stderr-logger.SL3: At most ten entries of one kind are written in a minute; the next entry says how many were left
 *   out.
 */
import { type Clock, systemClock } from "../contract/clock.ts";
import { attempt, isError, shorten, thrownStack, thrownText } from "../errors/thrown-value.ts";
import { ObserverCalls } from "../guard/observer-calls.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import { LogLimit } from "./log-limit.ts";
import { ignoreEntry, type LogFields, type Logger, SAFE_LOGGERS } from "./logger.ts";

/** Length in UTF-16 units, like all bounds here. */
const LONGEST_MESSAGE = 2_000;
const LONGEST_VALUE = 400;
const MOST_FIELDS = 30;
const LONGEST_STACK = 16_384;
/** The part of a message that belongs to its kind; the text after it is often an id. */
const KIND_LENGTH = 24;
/** Control characters, line ends, and what changes the direction of the text behind it. */
const OBEYED = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** The options of the default logger. */
export interface StderrLoggerOptions {
  /** Clock for the time of an entry; the system's by default. */
  readonly clock?: Clock;
}

const OPTIONS: OptionList = optionList<StderrLoggerOptions>({ clock: true });

/** Writes warnings and errors to stderr. A runtime without a `logger` creates one. */
export function stderrLogger(options: StderrLoggerOptions = {}): Logger {
  checkOptions("stderrLogger", options, OPTIONS);
  const { clock = systemClock } = options;
  const limit = new LogLimit(clock);
  const calls = new ObserverCalls(clock, () => {});
  const write = (level: "WARN " | "ERROR", fields: LogFields, message: string): void =>
    void calls.call(() => {
      const pass = limit.admit(kindOf(fields, message));
      if (pass === undefined) return;
      const entry = formatEntry({ nowMs: clock.now(), level, fields, message }, pass);
      outliveReader();
      // biome-ignore lint/suspicious/noConsole: the only place that writes to the console, when no logger is passed
      console.error(entry);
    });
  const logger: Logger = {
    debug: ignoreEntry,
    info: ignoreEntry,
    warn: (fields, message) => write("WARN ", fields, message),
    error: (fields, message) => write("ERROR", fields, message),
  };
  SAFE_LOGGERS.set(logger, logger);
  return logger;
}

/** Node ignores the first entry that cannot be written. The error of the second one would end the process. */
function outliveReader(): void {
  const stderr = globalThis.process?.stderr;
  if (stderr?.listeners?.("error").includes(ignoreError) === false) stderr.on("error", ignoreError);
}

function ignoreError(): void {}

/** Failures of different handlers, and different warnings of a store, are different kinds: none suppresses another. */
function kindOf(fields: LogFields, message: string): string {
  const named = ["event", "activity_name", "orchestration_name"].map((key) => attempt(() => fields[key]));
  const parts = [...named, attempt(() => message.slice(0, KIND_LENGTH))];
  return parts.map((part) => (typeof part === "string" ? part : "")).join(" ");
}

interface Entry {
  readonly nowMs: number;
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

function formatEntry({ nowMs, level, fields, message }: Entry, note: string): string {
  const values: string[] = [];
  const stacks: string[] = [];
  for (const [key, value] of readFields(fields)) {
    if (key === "stack" && typeof value === "string") stacks.push(value);
    else values.push(`${inLine(key, LONGEST_VALUE)}=${formatValue(value)}`);
    const stack = thrownStack(value);
    if (stack !== undefined) stacks.push(stack);
  }
  const line = `${new Date(nowMs).toISOString()} ${level} duroxide: ${inLine(message, LONGEST_MESSAGE)}${note}`;
  return [[line, ...values].join(" "), ...stacks.map(formatStack)].join("\n");
}

function readFields(fields: LogFields): [key: string, value: unknown][] {
  return (attempt(() => Object.keys(fields)) ?? [])
    .slice(0, MOST_FIELDS)
    .map((key) => [key, attempt(() => fields[key])] as [string, unknown])
    .filter(([, value]) => value !== undefined);
}

function formatValue(value: unknown): string {
  if (isError(value)) return JSON.stringify(inLine(thrownText(value), LONGEST_VALUE));
  if (typeof value === "object" || typeof value === "string") {
    const text = typeof value === "string" ? value : (attempt(() => JSON.stringify(value)) ?? "(not shown)");
    const line = inLine(text, LONGEST_VALUE);
    return typeof value === "string" && /[\s"=]|^$/.test(line) ? JSON.stringify(line) : line;
  }
  return inLine(attempt(() => String(value)) ?? "(not shown)", LONGEST_VALUE);
}

function formatStack(stack: string): string {
  const lines = shorten(stack, LONGEST_STACK).split("\n");
  return lines.map((line) => `    ${inLine(line.replace(/^ {4}/, "  "), LONGEST_MESSAGE)}`).join("\n");
}

/** The text on one line, without control characters (stderr-logger.SL2). */
function inLine(text: string, longest: number): string {
  return shorten(String(text), longest).replace(OBEYED, " ");
}
