/**
 * Reads a value that user code threw. Code can throw any value: values that are not errors, errors whose message is not
 * a string, getters and proxies that throw themselves. Therefore each property is read separately, and a property that
 * cannot be read is left out.
 */
import { quietPromise } from "./quiet-promises.ts";

const UNREADABLE = "a value that cannot be shown was thrown";

/** In UTF-16 units. A description is bounded, because a store would reject one that is too large. */
const LONGEST_MESSAGE = 65_536;

/** The most errors of an AggregateError whose messages become its own. */
const MOST_MESSAGES = 16;

/** Properties that are stored separately and not as data. */
const NO_DATA: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/** The message of an error, or any other value as text. */
export function thrownMessage(thrown: unknown, longest: number = LONGEST_MESSAGE): string {
  const text = isA(thrown, Error) ? errorMessage(thrown) : textOf(thrown);
  return shorten(text ?? UNREADABLE, longest);
}

/**
 * An AggregateError without a message, such as that of a connection which every address of a host refused, has the
 * messages of its errors.
 */
function errorMessage(error: Error): string | undefined {
  const text = readText(error, "message");
  return text === "" && isA(error, AggregateError) ? (attempt(() => messagesOf(error)) ?? text) : text;
}

function messagesOf({ errors }: AggregateError): string {
  const messages = errors
    .slice(0, MOST_MESSAGES)
    .map((each: unknown) => (isA(each, Error) ? readText(each, "message") : textOf(each)))
    .filter((message) => message !== undefined && message !== "");
  if (errors.length > MOST_MESSAGES) messages.push("…");
  return messages.join("; ");
}

/** A readable text: `TypeError: x is not a function`, or the value as text. */
export function thrownText(thrown: unknown): string {
  const message = thrownMessage(thrown);
  return isA(thrown, Error) ? `${thrownName(thrown)}: ${message}` : message;
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
  return isA(thrown, Error) ? attempt(() => textIn(thrown.stack)) : undefined;
}

/** Enumerable own properties that can be read and written as JSON; `undefined` if there are none, or too many. */
export function thrownData(error: Error, longest: number): string | undefined {
  const keys = attempt(() => Object.keys(error)) ?? [];
  const members = keys.flatMap((key) => {
    const text = NO_DATA.has(key) ? undefined : attempt(() => jsonOf(Reflect.get(error, key)));
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  const data = `{${members.join(",")}}`;
  return members.length === 0 || data.length > longest ? undefined : data;
}

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

/** A getter or a toJSON that is async makes promises, which are discarded here. */
function jsonOf(value: unknown): string | undefined {
  return textIn(
    JSON.stringify(value, (_key, member: unknown) => {
      quietPromise(member);
      return member;
    }),
  );
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

export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
