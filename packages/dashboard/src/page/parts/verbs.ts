/** What the actions are called, what they do, and on which instances. */
import type { Verb } from "../shapes/session.ts";
import { ENDED_STATES, type InstanceState, OPEN_STATES } from "../shapes/states.ts";

export interface VerbInfo {
  readonly label: string;
  /** What happens, for the dialog. */
  readonly explains: string;
  readonly isDangerous: boolean;
  /** Nothing is done without one. */
  readonly needsReason?: boolean;
  readonly fits: readonly InstanceState[];
}

export const VERB_INFO: Readonly<Record<Verb, VerbInfo>> = {
  retry: {
    label: "Retry",
    explains: "Goes back to before the failure and runs what failed again. Results before it stay.",
    isDangerous: false,
    fits: ["failed", "cancelled"],
  },
  resume: {
    label: "Resume",
    explains: "Runs again. Results that came meanwhile are delivered.",
    isDangerous: false,
    fits: ["suspended"],
  },
  raise: {
    label: "Raise event",
    explains: "Delivers an event to a wait that is open.",
    isDangerous: false,
    fits: OPEN_STATES,
  },
  enqueue: {
    label: "Enqueue message",
    explains: "Adds a message to a queue of the instance.",
    isDangerous: false,
    fits: OPEN_STATES,
  },
  suspend: {
    label: "Suspend",
    explains: "No turn runs until it is resumed. Activities in flight finish, and their results wait.",
    needsReason: true,
    isDangerous: false,
    fits: ["running", "blocked"],
  },
  rewind: {
    label: "Rewind",
    explains: "Cuts the history behind an event, and runs on from there. What is cut is archived.",
    isDangerous: true,
    fits: [...OPEN_STATES, "failed", "cancelled", "completed"],
  },
  restart: {
    label: "Restart",
    explains: "Starts again from the beginning with the same name, version and input.",
    isDangerous: true,
    fits: ENDED_STATES,
  },
  cancel: {
    label: "Cancel",
    explains:
      "Fails it and its children at the next turn. Its clean-up (ctx.onCancel) runs first, if it has any.",
    isDangerous: true,
    fits: OPEN_STATES,
  },
  terminate: {
    label: "Terminate",
    explains: "Ends it at once, whether a worker has its code or not. Its record stays.",
    needsReason: true,
    isDangerous: true,
    fits: OPEN_STATES,
  },
  prune: {
    label: "Prune executions",
    explains: "Deletes old executions; the newest stay.",
    isDangerous: true,
    fits: [...OPEN_STATES, ...ENDED_STATES],
  },
  delete: {
    label: "Delete",
    explains: "Deletes it with its children and its history. This cannot be undone.",
    isDangerous: true,
    fits: [...OPEN_STATES, ...ENDED_STATES],
  },
};

/** Actions on many instances. */
export const BULK_VERBS: readonly Verb[] = ["retry", "resume", "suspend", "cancel", "terminate", "delete"];
/** Buttons in the head of an instance, in this order; the others are behind a menu. */
export const FIRST_VERBS: readonly Verb[] = ["retry", "resume", "raise", "suspend", "cancel", "restart"];
