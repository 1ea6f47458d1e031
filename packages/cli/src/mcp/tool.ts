/** A tool of the server: its JSON schema, and what it does. */
import type { OpenStore } from "../store/open-store.ts";

/** The arguments of a call, as they came. */
export type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schemas of the arguments. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** Whether it changes something. */
  readonly writes?: boolean;
  call(store: OpenStore, given: Arguments, nowMs: number): Promise<unknown>;
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

/** A whole number from 1 to `most`. */
export function limitOf(given: Arguments, most: number, usual: number): number {
  const { limit = usual } = given;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw new TypeError(`limit must be a whole number from 1 to ${most}`);
}
