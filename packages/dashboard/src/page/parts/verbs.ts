/** The order in which actions are offered. Their words come with the session. */
import type { Verb } from "../shapes/session.ts";

/** Actions on many instances. */
export const BULK_VERBS: readonly Verb[] = [
  "retry",
  "rewind",
  "resume",
  "suspend",
  "cancel",
  "terminate",
  "delete",
];
/** Buttons in the head of an instance, in this order; the others are behind a menu. */
export const FIRST_VERBS: readonly Verb[] = ["retry", "resume", "raise", "suspend", "cancel", "restart"];
