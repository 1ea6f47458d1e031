/** A tool of the server: its JSON schema, and what it does. */
import type { OpenStore } from "../store/open-store.ts";
import type { ShownPayloads } from "./shown-payloads.ts";

/** The arguments of a call, as they came. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The store of the server, and how its payloads are shown. */
export interface ToolStore extends OpenStore {
  readonly shown: ShownPayloads;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schemas of the arguments. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** Arguments that are payloads of the user: JsonText. */
  readonly payloads?: readonly string[];
  /** Whether it changes something. */
  readonly writes?: boolean;
  call(store: ToolStore, given: Arguments, nowMs: number): Promise<unknown>;
}

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
