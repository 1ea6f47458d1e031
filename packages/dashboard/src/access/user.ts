/** Who may do what. */

/** Viewers read; operators also act. */
export type DashboardRole = "viewer" | "operator";

/** A person or a program that sent a request. */
export interface DashboardUser {
  /** Stored with each action, and shown on the page. */
  readonly user: string;
  readonly role: DashboardRole;
}

/**
 * Decides who sent the request: from a session, a header of a proxy, a certificate. `undefined` refuses it, and so does
 * everything else that is no `DashboardUser`, such as the `null` of a session that is not there. There is no default.
 */
export type Authorize = (request: Request) => DashboardUser | undefined | Promise<DashboardUser | undefined>;

/**
 * The user that `authorize` returned, as a copy of the name and the role; `undefined` for everything else. The compiler
 * does not see what servers in JavaScript and casts return, so it cannot decide who may read the store.
 */
export function userIn(returned: unknown): DashboardUser | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  try {
    const { user, role } = returned as Partial<Record<keyof DashboardUser, unknown>>;
    const isKnown = role === "viewer" || role === "operator";
    return isKnown && typeof user === "string" && user !== "" ? { user, role } : undefined;
  } catch {
    // A property that throws.
    return undefined;
  }
}
