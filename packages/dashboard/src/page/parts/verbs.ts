/** The order in which actions are offered. Their words come with the session. */
import type { OperatorVerb } from "@duroxide-ts/core/operate";

/** Actions on many instances. */
export const BULK_VERBS: readonly OperatorVerb[] = [
  "retry",
  "rewind",
  "resume",
  "suspend",
  "cancel",
  "terminate",
  "delete",
];
/** Buttons in the head of an instance, in this order; the others are behind a menu. */
export const FIRST_VERBS: readonly OperatorVerb[] = [
  "retry",
  "resume",
  "raise",
  "suspend",
  "cancel",
  "restart",
];
