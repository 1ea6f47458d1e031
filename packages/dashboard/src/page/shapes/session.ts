/** The user and the store, as the server describes them to the page. */
import type { InstanceState } from "./states.ts";

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
  | "redeliver"
  | "prune"
  | "delete";

/** The words of an action, and where it fits. */
export interface VerbInfo {
  /** Name on a button. */
  readonly label: string;
  /** Effect on an instance, in sentences. */
  readonly explains: string;
  readonly isDangerous: boolean;
  /** Whether it is refused without a reason. */
  readonly needsReason: boolean;
  /** States of the instances that it is offered for. */
  readonly fits: readonly InstanceState[];
}

export interface Session {
  readonly user: string;
  readonly role: "viewer" | "operator";
  /** No action is offered to any user. */
  readonly readOnly: boolean;
  /** The name of the store, such as "orders.db". */
  readonly title: string;
  /** Whether parts of what is read may be replaced, so that no text of messages is searched. */
  readonly redacts: boolean;
  /** Whether the store charges by request, so that views are refreshed less often. */
  readonly costs: boolean;
  /** The actions that the user may do here. */
  readonly verbs: readonly Verb[];
  /** The words of all actions; none before the server has answered. */
  readonly words: Readonly<Partial<Record<Verb, VerbInfo>>>;
  readonly nowMs: number;
}
