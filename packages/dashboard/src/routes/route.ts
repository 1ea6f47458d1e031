/** A route of the JSON API: one file each. Paths are fixed; ids are parameters, because an id may be any text. */
import { Refused, type User } from "@duroxide-ts/core/web";
import { type Body, optionalTextIn } from "../http/read-body.ts";
import type { Source } from "../source/source.ts";
import type { Act } from "../source/verbs.ts";

/** A request whose sender may call the route. */
export interface Call {
  readonly source: Source;
  readonly user: User;
  readonly query: URLSearchParams;
  /** Empty for a GET. */
  readonly body: Body;
  readonly signal: AbortSignal;
}

/** Reads nothing but the store; for viewers and operators. */
export interface ReadRoute {
  readonly path: string;
  /** Reads histories or counts, so such reads of all users take turns. */
  readonly isLong?: true;
  read(call: Call): Promise<object>;
}

/** Changes something; for operators of a dashboard that is not read-only. */
export interface ActRoute {
  readonly path: string;
  act(call: Call): Promise<unknown>;
}

/** A parameter of the address. */
export function parameter({ query }: Call, name: string): string {
  const value = query.get(name);
  if (value === null || value === "") {
    throw new Refused(400, "invalid-input", `the address lacks the parameter "${name}"`);
  }
  return value;
}

/** A number of the address from 1. */
export function positiveNumber({ query }: Call, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Refused(400, "invalid-input", `the parameter "${name}" must be a whole number from 1`);
}

/** The user who acts, and the reason that the body gives. */
export function actOf({ user, body }: Call): Act {
  return { user: user.user, reason: optionalTextIn(body, "reason") ?? "" };
}
