/** The user and the store, as the server describes them to the page. */

/** An action on an instance that the server offers. */
export type Verb =
  | "cancel"
  | "terminate"
  | "suspend"
  | "resume"
  | "retry"
  | "rewind"
  | "restart"
  | "raise"
  | "enqueue"
  | "prune"
  | "delete";

export interface Session {
  readonly user: string;
  readonly role: "viewer" | "operator";
  /** No action is offered to any user. */
  readonly readOnly: boolean;
  /** The name of the store, such as "orders.db". */
  readonly title: string;
  /** Whether the store answers filtered queries. */
  readonly queries: boolean;
  /** Whether parts of what is read may be replaced, so that no text of messages is searched. */
  readonly redacts: boolean;
  /** Whether the store charges by request, so that views are refreshed less often. */
  readonly costs: boolean;
  readonly verbs: readonly Verb[];
  readonly nowMs: number;
}

/** What every refused request answers. */
export interface Refusal {
  readonly error: { readonly code: string; readonly message: string };
}
