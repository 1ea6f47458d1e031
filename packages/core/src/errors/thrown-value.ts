/**
 * Reads what user code threw. Anything can be thrown: values that are no errors, errors whose message is no text,
 * getters and proxies that throw in turn. So each property is read by itself, and what cannot be read is left out.
 */
import type { ThrownDetails } from "../wire/error-details.ts";
import { RemoteFailure } from "./duroxide-error.ts";

const UNREADABLE = "a value that cannot be shown was thrown";

/** In UTF-16 units. What describes a failure must not become one: a store refuses what is too large. */
const LONGEST_MESSAGE = 65_536;
const LONGEST_DATA = 262_144;

/** What an error says by other means than its own data. */
const NO_DATA: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/** The message of an error, or any other value as text. */
export function thrownMessage(thrown: unknown): string {
  const text = isA(thrown, Error) ? readText(thrown, "message") : textOf(thrown);
  return shorten(text ?? UNREADABLE);
}

/** For people: `TypeError: x is not a function`, or the value as text. */
export function thrownText(thrown: unknown): string {
  const message = thrownMessage(thrown);
  return isA(thrown, Error) ? `${nameOf(thrown)}: ${message}` : message;
}

/** Name and data of an error; `undefined` for any other value. */
export function describeThrown(thrown: unknown): ThrownDetails | undefined {
  if (!isA(thrown, Error)) return undefined;
  if (isA(thrown, RemoteFailure)) return originOf(thrown);
  const name = nameOf(thrown);
  const data = ownData(thrown);
  const className = classNameOf(thrown);
  return {
    name,
    ...(data !== undefined && { data }),
    ...(className !== undefined && className !== name && { class: className }),
    ...(isFinal(thrown) && { retryable: false as const }),
  };
}

/** Whether the error says of itself that another attempt cannot succeed. */
function isFinal(error: Error): boolean {
  return attempt(() => Reflect.get(error, "retryable") === false) ?? false;
}

function classNameOf(error: Error): string | undefined {
  const name = attempt(() => textIn(error.constructor.name));
  return name === undefined || name === "" ? undefined : shorten(name);
}

/** Where it was thrown, for logs and spans; `undefined` where the value does not say. */
export function thrownStack(thrown: unknown): string | undefined {
  return isA(thrown, Error) ? attempt(() => textIn(thrown.stack)) : undefined;
}

/** A failure that is let through stays what it was: it must not grow with every level that it passes. */
function originOf(failure: RemoteFailure): ThrownDetails | undefined {
  return attempt(() => {
    const { details } = failure;
    const thrown = "Application" in details ? details.Application.thrown : undefined;
    const name = textIn(thrown?.name);
    const data = textIn(thrown?.data);
    const className = textIn(thrown?.class);
    if (name === undefined) return undefined;
    return {
      name,
      ...(data !== undefined && { data }),
      ...(className !== undefined && { class: className }),
      ...(thrown?.retryable === false && { retryable: false as const }),
    };
  });
}

function nameOf(error: Error): string {
  return shorten(readText(error, "name") ?? "Error");
}

/** Enumerable own properties that can be read and written as JSON; `undefined` where there are none. */
function ownData(error: Error): string | undefined {
  const keys = attempt(() => Object.keys(error)) ?? [];
  const members = keys.flatMap((key) => {
    const text = NO_DATA.has(key) ? undefined : attempt(() => jsonOf(Reflect.get(error, key)));
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  const data = `{${members.join(",")}}`;
  return members.length === 0 || data.length > LONGEST_DATA ? undefined : data;
}

function jsonOf(value: unknown): string | undefined {
  return textIn(JSON.stringify(value));
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

/** A proxy may refuse to say what it is. */
function isA<T extends Error>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  return attempt(() => value instanceof type) ?? false;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function shorten(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`;
}
