/** Who may do what. */
import { Refused } from "./refusal.ts";

/** Viewers read; operators also act. */
export type Role = "viewer" | "operator";

/** A person or a program that sent a request. */
export interface User {
  /** Stored with the actions of operators, and shown. */
  readonly user: string;
  readonly role: Role;
}

/**
 * Decides who sent the request: from a session, a header of a proxy, a certificate. `undefined` refuses it, and so does
 * everything else that is no `User`, such as the `null` of a session that is not there. There is no default.
 */
export type Authorize = (request: Request) => User | undefined | Promise<User | undefined>;

/** The user of the request. Something that is no user, and is not nothing, is a mistake, of which `warn` is told. */
export async function userOf(
  authorize: Authorize,
  request: Request,
  warn: (message: string) => void,
): Promise<User | undefined> {
  const returned = await asked(authorize, request);
  const user = userIn(returned);
  if (user === undefined && returned) {
    warn(
      'authorize returned something that is no user, so the request is refused; return { user, role }, with "viewer" or "operator" as the role, or undefined',
    );
  }
  return user;
}

/** The details of an error of duroxide are for who has made the call, and not for a sender whom nobody knows. */
async function asked(authorize: Authorize, request: Request): Promise<unknown> {
  try {
    return await authorize(request);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Error("authorize rejected", { cause: error });
  }
}

/**
 * The user that `authorize` returned, as a copy of the name and the role; `undefined` for everything else. The compiler
 * does not see what servers in JavaScript and casts return, so it cannot decide who may read the store.
 */
export function userIn(returned: unknown): User | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  try {
    const { user, role } = returned as Partial<Record<keyof User, unknown>>;
    const isKnown = role === "viewer" || role === "operator";
    return isKnown && typeof user === "string" && user !== "" ? { user, role } : undefined;
  } catch {
    // A property that throws.
    return undefined;
  }
}
