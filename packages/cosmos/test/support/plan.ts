/**
 * Plans for the turns of a test. The message that causes the turn has the plan, so that a repeated turn does the same.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";

export interface Plan {
  readonly activities?: readonly PlannedActivity[];
  readonly children?: readonly PlannedChild[];
  /** Events for other instances, in this order. */
  readonly messages?: readonly { readonly to: string; readonly name: string }[];
  /** A timer that is due at once. */
  readonly timer?: boolean;
  /** Number of timers that are due in an hour. */
  readonly timers?: number;
  /** These are dropped. */
  readonly dropTimers?: boolean;
  /** Number of keys that are set. */
  readonly keys?: number;
  /** Labels of activities that are given up. */
  readonly cancel?: readonly string[];
  readonly continueAsNew?: boolean;
  /** Names of queue messages that an execution returns when it continues as new. */
  readonly returns?: readonly string[];
  readonly end?: boolean;
  /** Plan of the turn that a cancellation causes (docs/decisions/sagas.md). */
  readonly onCancel?: Plan;
  /** Ends a clean-up. */
  readonly endCancelled?: boolean;
}

export interface PlannedChild {
  readonly id: string;
  /** Plan of its first turn; by default it ends, and sends its parent the result. */
  readonly plan?: Plan;
  /** Plan of the parent's turn that takes its result. */
  readonly afterwards?: Plan;
}

/** Input of a child: its plan, and what its parent reads in its own history. */
export interface ChildInput extends Plan {
  readonly afterwards?: Plan;
}

export interface PlannedActivity {
  /** Unique within the instance. */
  readonly label: string;
  readonly session?: string;
  /** Instance in whose partition its row is put; its outcome comes back all the same. */
  readonly at?: string;
  /** Size of the input in bytes, to make a commit large. */
  readonly sizeBytes?: number;
  /** Plan of the turn that takes its outcome. */
  readonly afterwards?: Plan;
}

/** A message that has an instance carry out a plan. */
export function planned(instanceId: string, plan: Plan): OrchestratorItem {
  return { kind: "ExternalRaised", instance: instanceId, name: "plan", data: JSON.stringify(plan) };
}

/** A cancellation by a client. */
export function cancelled(instanceId: string, reason: string): OrchestratorItem {
  return { kind: "CancelInstance", instance: instanceId, reason };
}

/** A start whose first turn carries out a plan. */
export function start(instanceId: string, plan: Plan = {}): OrchestratorItem {
  return startItem(instanceId, { input: JSON.stringify(plan) });
}

/** The input of an activity: which one it is, and which instance waits for it. */
export interface ActivityInput {
  readonly label: string;
  readonly replyTo: string;
  readonly filling: string;
  readonly afterwards?: Plan;
}
