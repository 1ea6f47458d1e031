/** The verbs that operators may apply to instances: the words of every tool. */
import { ENDED_STATES, INSTANCE_STATES, type InstanceState, OPEN_STATES } from "./instance-state.ts";

/** An action of an operator on an instance. */
export type OperatorVerb =
  | "retry"
  | "resume"
  | "raise"
  | "enqueue"
  | "redeliver"
  | "suspend"
  | "rewind"
  | "restart"
  | "cancel"
  | "terminate"
  | "prune"
  | "delete";

/** The words of an action, and where it fits. */
export interface OperatorVerbInfo {
  /** Name on a button. */
  readonly label: string;
  /** Effect on an instance, in sentences. */
  readonly explains: string;
  /** Whether it takes something away that no other action brings back. */
  readonly isDangerous: boolean;
  /** Whether it is refused without a reason. */
  readonly needsReason: boolean;
  /** States of the instances that it is offered for. */
  readonly fits: readonly InstanceState[];
}

/** The actions in the order of menus. */
export const OPERATOR_VERBS: Readonly<Record<OperatorVerb, OperatorVerbInfo>> = {
  retry: {
    label: "Retry",
    explains: "Goes back to before the failure and runs what failed again. Results before it stay.",
    isDangerous: false,
    needsReason: false,
    fits: ["failed", "cancelled", "clean-up-failed"],
  },
  resume: {
    label: "Resume",
    explains: "Ends a suspension. Results that came meanwhile are delivered.",
    isDangerous: false,
    needsReason: false,
    fits: ["suspended"],
  },
  raise: {
    label: "Raise event",
    explains: "Delivers an event to a wait that is open.",
    isDangerous: false,
    needsReason: false,
    fits: OPEN_STATES,
  },
  enqueue: {
    label: "Enqueue message",
    explains: "Adds a message to a queue of the instance.",
    isDangerous: false,
    needsReason: false,
    fits: OPEN_STATES,
  },
  redeliver: {
    label: "Deliver again",
    explains: "Sends a message again, once, that did not fit its wait: as it is, or corrected.",
    isDangerous: false,
    needsReason: false,
    fits: OPEN_STATES,
  },
  suspend: {
    label: "Suspend",
    explains: "Runs no turn until a resume. Activities in flight finish, and their results wait.",
    isDangerous: false,
    needsReason: true,
    fits: OPEN_STATES.filter((state) => state !== "suspended"),
  },
  rewind: {
    label: "Rewind",
    explains: "Cuts the history behind an event, and runs on from there. What is cut is archived.",
    isDangerous: true,
    needsReason: false,
    fits: INSTANCE_STATES,
  },
  restart: {
    label: "Restart",
    explains: "Starts again from the beginning with the same name, version and input.",
    isDangerous: true,
    needsReason: false,
    fits: ENDED_STATES,
  },
  cancel: {
    label: "Cancel",
    explains:
      "Fails the instance and its children at the next turn. Its clean-up (ctx.onCancel) runs first, if it has any.",
    isDangerous: true,
    needsReason: false,
    fits: OPEN_STATES,
  },
  terminate: {
    label: "Terminate",
    explains: "Ends the instance at once, whether a worker has its code or not. Its record stays.",
    isDangerous: true,
    needsReason: true,
    fits: OPEN_STATES,
  },
  prune: {
    label: "Prune executions",
    explains: "Deletes old executions. The newest stay.",
    isDangerous: true,
    needsReason: false,
    fits: INSTANCE_STATES,
  },
  delete: {
    label: "Delete",
    explains: "Deletes the instance with its children and its history. This cannot be undone.",
    isDangerous: true,
    needsReason: false,
    fits: INSTANCE_STATES,
  },
};
