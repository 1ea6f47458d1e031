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
 * Decides who sent the request: from a session, a header of a proxy, a certificate. `undefined` refuses it. There is no
 * default.
 */
export type Authorize = (request: Request) => DashboardUser | undefined | Promise<DashboardUser | undefined>;
