/**
 * Reads a value that user code threw. Code can throw any value: values that are not errors, errors whose message is not
 * a string, getters and proxies that throw themselves. Therefore each property is read separately, and a property that
 * cannot be read is left out.
 */
import { types } from "../host/node-types.ts";
import { opaqueReason } from "./opaque-values.ts";
import { quietPromise } from "./quiet-promises.ts";

const UNREADABLE = "a value that cannot be shown was thrown";

/** Length in UTF-16 units. A description is bounded, because a store would reject one that is too large. */
const LONGEST_MESSAGE = 65_536;

/** The most errors of an AggregateError whose messages become its own. */
const MOST_MESSAGES = 16;

/** The most properties of an error that are stored or restored. */
const MOST_PROPERTIES = 256;

/** Properties that are stored separately and not as data. */
const NO_DATA: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/** The message of an error, or any other value as text. */
export function thrownMessage(thrown: unknown, longest: number = LONGEST_MESSAGE): string {
  const text = isError(thrown) ? errorMessage(thrown) : textOf(thrown);
  return shorten(text ?? UNREADABLE, longest);
}

/**
 * An AggregateError without a message, such as that of a connection which every address of a host refused, has the
 * messages of its errors.
 */
function errorMessage(error: Error): string | undefined {
  const text = readText(error, "message");
  const errors = text === "" ? aggregated(error) : undefined;
  return errors === undefined ? text : (attempt(() => messagesOf(errors)) ?? text);
}

function messagesOf(errors: readonly unknown[]): string {
  const messages = errors
    .slice(0, MOST_MESSAGES)
    .map((each) => (isError(each) ? readText(each, "message") : textOf(each)))
    .filter((message) => message !== undefined && message !== "");
  if (errors.length > MOST_MESSAGES) messages.push("…");
  return messages.join("; ");
}

/** A readable text: `TypeError: x is not a function`, or the value as text. */
export function thrownText(thrown: unknown): string {
  const message = thrownMessage(thrown);
  return isError(thrown) ? `${thrownName(thrown)}: ${message}` : message;
}

export function thrownName(error: Error, longest: number = LONGEST_MESSAGE): string {
  return shorten(readText(error, "name") ?? "Error", longest);
}

/** Whether the error is marked as final. */
export function saysFinal(error: Error): boolean {
  return attempt(() => Reflect.get(error, "retryable") === false) ?? false;
}

export function thrownClassName(error: Error): string | undefined {
  const name = attempt(() => textIn(error.constructor.name));
  return name === undefined || name === "" ? undefined : shorten(name, LONGEST_MESSAGE);
}

/** The stack of the value; `undefined` if it has none. */
export function thrownStack(thrown: unknown): string | undefined {
  return isError(thrown) ? attempt(() => stackText(thrown.stack)) : undefined;
}

/** The stack as text. It may be a list of frames where a program has replaced `Error.prepareStackTrace`. */
export function stackText(stack: unknown): string | undefined {
  const text = Array.isArray(stack)
    ? stack.map((frame) => `    at ${String(frame)}`).join("\n")
    : textIn(stack);
  return text?.toWellFormed();
}

/**
 * The first enumerable own properties that can be read and written as JSON; `undefined` if there are none, or if they are
 * too long.
 */
export function thrownData(error: Error, longest: number): string | undefined {
  const members: string[] = [];
  let length = 0;
  for (const key of dataNames(attempt(() => Object.keys(error)) ?? [])) {
    const text = attempt(() => jsonOf(Reflect.get(error, key)));
    if (text === undefined) continue;
    const member = `${JSON.stringify(key)}:${text}`;
    members.push(member);
    length += member.length + 1;
    if (length >= longest) return undefined;
  }
  return members.length === 0 ? undefined : `{${members.join(",")}}`;
}

/** Gives an error its stored properties, each as its own: one called `__proto__` is not the prototype. */
export function restoreData(error: Error, data: object): void {
  for (const key of dataNames(Object.keys(data))) {
    const value: unknown = Reflect.get(data, key);
    Object.defineProperty(error, key, { value, enumerable: true, configurable: true, writable: true });
  }
}

function dataNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => !NO_DATA.has(name)).slice(0, MOST_PROPERTIES);
}

/** Also an error of another realm, whose classes are not those of this one. */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || isA(value, Error);
}

/** The errors of an AggregateError, and those of undos that failed; `undefined` for any other error. */
export function aggregated(error: Error): readonly unknown[] | undefined {
  const name = types.isNativeError(error) ? readText(error, "name") : undefined;
  const isAggregate = isA(error, AggregateError) || name === "AggregateError";
  const field = name === COMPENSATION_ERROR ? "failures" : isAggregate ? "errors" : undefined;
  if (field === undefined) return undefined;
  return attempt(() => {
    const errors: unknown = Reflect.get(error, field);
    return Array.isArray(errors) ? errors : undefined;
  });
}

/** The class of the error of undos that failed; it has their errors in place of those of an AggregateError. */
export const COMPENSATION_ERROR = "CompensationError";

/** `instanceof` that does not throw for a proxy. */
export function isA<T extends Error>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  return attempt(() => value instanceof type) ?? false;
}

/** The result of `read`; `undefined` if it throws. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The value as JSON, without the members that JSON would empty or change; `undefined` if the value itself is such a
 * one. A getter or a toJSON that is async makes promises, which are discarded here.
 */
function jsonOf(value: unknown): string | undefined {
  return textIn(
    JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key: string, member: unknown) {
      const whole = this[key];
      quietPromise(whole);
      quietPromise(member);
      return isLost(whole) || isLost(member) ? undefined : member;
    }),
  );
}

function isLost(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return opaqueReason(value) !== undefined || (types.isDate(value) && Number.isNaN(value.getTime()));
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readText(error: Error, key: "name" | "message"): string | undefined {
  const read = attempt(() => ({ value: Reflect.get(error, key) as unknown }));
  return read && textOf(read.value);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return attempt(() => (typeof value === "object" ? (jsonOf(value) ?? String(value)) : String(value)));
}

/** Well-formed as what is stored: a turn that is handed a failure and its replays, which read it, see the same text. */
export function shorten(text: string, longest: number): string {
  return (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`).toWellFormed();
}
