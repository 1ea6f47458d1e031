/** The user and the store, as the server describes them to the page. */
import type { OperatorVerb, OperatorVerbInfo } from "@duroxide-ts/core/operate";

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
  readonly verbs: readonly OperatorVerb[];
  /** The words of all actions; none before the server has answered. */
  readonly words: Readonly<Partial<Record<OperatorVerb, OperatorVerbInfo>>>;
  readonly nowMs: number;
}
