/** The options and the results of verbs. */
import type { BulkOptions, DeleteOptions, PruneOptions } from "../../contract/admin.ts";
import type { Suspended } from "../../contract/instance-info.ts";
import type { InstanceFilter } from "../../contract/queries.ts";
import { checkInstanceId } from "../../define/instance-id.ts";
import { lengthFault, MAX_REASON_BYTES, nameFault } from "../../define/limits.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { choiceFault, textFault, wholeNumberFault } from "../../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";

/**
 * The operator of a change by hand, and the reason. Both are logged at `info`, and stored where the change leaves
 * something that can hold them: a deletion, a pruning, a resumption and a change of a dead letter leave nothing.
 */
export interface ByHand {
  readonly by?: string;
  readonly reason?: string;
}

/** The reason for a suspension or end, and the operator. */
export interface WithReason extends ByHand {
  readonly reason: string;
}

/** The options of `Admin.resume`. */
export type ResumeOptions = ByHand;

/** The options of `Admin.delete`. */
export interface DeleteByHand extends DeleteOptions, ByHand {}

/** The instances of `Admin.deleteAll` and `Admin.pruneAll`, and the most of them; 1000 by default. */
export interface BulkFilter extends InstanceFilter, BulkOptions {}

/** The options of `Admin.prune` and `Admin.pruneAll`: which executions stay, the operator, and the reason. */
export interface PruneByHand extends Omit<PruneOptions, "limit">, ByHand {}

/** The options of `Admin.retry`. */
export interface RetryOptions extends ByHand {
  /**
   * Whether an activity that runs again gets the idempotency key that it had. `"same"` by default, so that a payment
   * that was made although its activity failed is not made twice.
   */
  readonly idempotencyKeys?: "same" | "new";
}

/** The options of `Admin.rewind`: where to, and what is recorded. */
export type RewindOptions = RewindRecord & RewindPlace;

interface RewindRecord extends ByHand {
  /** Keys of the calls that run again, as for `Admin.retry`; `"new"` by default. */
  readonly idempotencyKeys?: "same" | "new";
}

/** The place to which a rewind goes: one of the two. */
export type RewindPlace = ToEvent | BeforeFailure;

interface ToEvent {
  /**
   * The last event of the current execution that is kept. The cut moves back to the beginning of the turn that stored
   * the event after it.
   */
  readonly toEvent: number;
  readonly beforeFailure?: undefined;
}

interface BeforeFailure {
  /**
   * Goes back to before the turn with which the instance failed. That turn receives the same messages again, so the code
   * must be another one; for a failed activity or child, use `Admin.retry`.
   */
  readonly beforeFailure: true;
  readonly toEvent?: undefined;
}

/** The options of `Admin.restart`. */
export interface RestartOptions extends ByHand {
  /** The id of a new instance; by default the instance itself begins another execution. */
  readonly newId?: string;
}

/** The result of `Admin.suspend`. */
export interface SuspendResult {
  readonly suspended: Suspended;
  /** The work that the suspension does not stop. */
  readonly note: string;
}

/** The result of `Admin.resume`. */
export interface ResumeResult {
  /** False if it was not suspended. */
  readonly resumed: boolean;
}

/** The result of `Admin.retry` and `Admin.rewind`. */
export interface RetryResult {
  /** The id of the new execution. */
  readonly executionId: number;
  /** The activities that run again, by the ids of their schedule events. */
  readonly activities: readonly { readonly name: string; readonly eventId: number }[];
  /** The ids of the children that were retried with it, at any depth. */
  readonly children: readonly string[];
}

/** The result of `Admin.restart`. */
export interface RestartResult {
  readonly instanceId: string;
  readonly executionId: number;
}

/** The names of the options that record a change, and no other. */
export const BY_HAND: OptionList = optionList<ByHand>({ by: true, reason: true });

/** The name of a verb. */
export type Verb = "suspend" | "resume" | "retry" | "rewind" | "restart" | "terminate";

/** The verbs that repeat a part of an execution. */
export type Repeating = "retry" | "rewind";

const OPTIONS: Readonly<Record<Verb, OptionList>> = {
  suspend: optionList<WithReason>({ reason: true, by: true }),
  resume: BY_HAND,
  retry: optionList<RetryOptions>({ reason: true, by: true, idempotencyKeys: true }),
  rewind: optionList<RewindOptions>({
    reason: true,
    by: true,
    toEvent: true,
    beforeFailure: true,
    idempotencyKeys: true,
  }),
  restart: optionList<RestartOptions>({ reason: true, by: true, newId: true }),
  terminate: optionList<WithReason>({ reason: true, by: true }),
};

type Given = Partial<RetryOptions & RestartOptions & Record<"toEvent" | "beforeFailure", unknown>>;

/** InvalidInputError for an invalid id, option name or value. */
export function checkVerb(verb: Verb, instanceId: string, options: Given = {}): void {
  checkInstanceId(instanceId);
  const where = `admin.${verb}`;
  checkOptions(where, options, OPTIONS[verb]);
  const { by, reason, newId, idempotencyKeys } = options;
  const needsReason = (verb === "suspend" || verb === "terminate") && reason === undefined;
  const fault =
    (needsReason
      ? `${where}: reason is missing; it tells other operators why the instance was changed`
      : undefined) ??
    recordFault(where, { by, reason }) ??
    textFault(`${where}: newId`, newId) ??
    (verb === "rewind" ? placeFault(where, options) : undefined) ??
    choiceFault(`${where}: idempotencyKeys`, idempotencyKeys, ["same", "new"]);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

function placeFault(where: string, { toEvent, beforeFailure }: Given): string | undefined {
  if (beforeFailure === undefined) return wholeNumberFault(`${where}: toEvent`, toEvent ?? null, 1);
  if (beforeFailure === true && toEvent === undefined) return undefined;
  return `${where}: give toEvent, or beforeFailure: true`;
}

/** Says what is wrong with the given operator or reason. */
export function recordFault(
  where: string,
  { by, reason }: Readonly<Record<"by" | "reason", unknown>>,
): string | undefined {
  return (
    textFault(`${where}: by`, by) ??
    textFault(`${where}: reason`, reason) ??
    nameFault(`${where}: by`, by) ??
    lengthFault(`${where}: reason`, reason, MAX_REASON_BYTES)
  );
}

/** InvalidInputError for an operator or a reason that cannot be stored. */
export function checkRecord(where: string, { by, reason }: ByHand): void {
  const fault = recordFault(where, { by, reason });
  if (fault !== undefined) throw new InvalidInputError(fault);
}

/** The operator and the reason as they are stored. */
export function recordOf({ by, reason }: ByHand): ByHand {
  return { ...(by !== undefined && { by }), ...(reason !== undefined && { reason: reason.toWellFormed() }) };
}
