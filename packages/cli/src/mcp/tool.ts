/** A tool of the server: its JSON schema, and what it does. */
import type { OpenStore } from "../store/open-store.ts";
import type { ShownPayloads } from "./shown-payloads.ts";

/** The arguments of a call, as they came. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The store as tools that look read it, and how they show payloads. */
export interface ReadingStore extends OpenStore {
  readonly shown: ShownPayloads;
}

interface Described {
  readonly name: string;
  readonly description: string;
  /** JSON schemas of the arguments. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** Arguments that are payloads of the user: JsonText. */
  readonly payloads?: readonly string[];
  /** It lasts as long as an instance takes, so no other call waits for it. */
  readonly waits?: true;
}

/** Looks. */
export interface ReadingTool extends Described {
  readonly writes?: never;
  call(store: ReadingStore, given: Arguments, nowMs: number): Promise<unknown>;
}

/** Changes something. What it reads of the store is not shown; it shows what it reads of `reading`. */
export interface WritingTool extends Described {
  readonly writes: true;
  call(store: OpenStore, given: Arguments, nowMs: number, reading: ReadingStore): Promise<unknown>;
}

export type Tool = ReadingTool | WritingTool;

/** A text argument. Throws for anything else. */
export function textOf(given: Arguments, name: string): string {
  const value = given[name];
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`${name} must be a text`);
}

/** `undefined` where it is absent. */
export function optionalText(given: Arguments, name: string): string | undefined {
  return given[name] === undefined ? undefined : textOf(given, name);
}

/** A number from 1 on. Throws for anything else. */
export function numberOf(given: Arguments, name: string): number {
  const value = given[name];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw new TypeError(`${name} must be a whole number from 1`);
}

/** `undefined` where it is absent. */
export function optionalNumber(given: Arguments, name: string): number | undefined {
  return given[name] === undefined ? undefined : numberOf(given, name);
}

/** `undefined` where it is absent. Throws for anything else than true and false. */
export function optionalSwitch(given: Arguments, name: string): boolean | undefined {
  const value = given[name];
  if (value === undefined || typeof value === "boolean") return value;
  throw new TypeError(`${name} must be true or false`);
}

/** A whole number from 1 to `most`. */
export function limitOf(given: Arguments, most: number, usual: number): number {
  const { limit = usual } = given;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw new TypeError(`limit must be a whole number from 1 to ${most}`);
}
