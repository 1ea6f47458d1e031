/**
 * Changes through the provider's admin interface for clients. Arguments are checked here too, because a store that treats
 * an invalid date as no condition would delete everything.
 */
import type { DeleteResult, PruneResult } from "../contract/admin.ts";
import type { InstanceFilter } from "../contract/queries.ts";
import { AdminReads, checkId } from "./admin-reads.ts";
import type { BulkVerb, ForEachOptions, ForEachResult } from "./verbs/for-each.ts";
import type { RedeliverOptions, RedeliverResult } from "./verbs/redeliver.ts";
import {
  type BulkFilter,
  type ByHand,
  checkVerb,
  type DeleteByHand,
  type PruneByHand,
  type RestartOptions,
  type RestartResult,
  type ResumeOptions,
  type ResumeResult,
  type RetryOptions,
  type RetryResult,
  type RewindOptions,
  type SuspendResult,
  type WithReason,
} from "./verbs/verb-options.ts";

/** Lists, inspects and removes instances; available as `client.admin`. Rejects with ProviderError. */
export class Admin extends AdminReads {
  /**
   * Puts a dead letter back into its queue, for processes that can read it; `false` for an unknown id.
   *
   * @example
   * ```ts
   * const { deadLetters } = await client.admin.deadLetters();
   * for (const { id } of deadLetters) await client.admin.requeueDeadLetter(id);
   * ```
   */
  async requeueDeadLetter(id: string, options: ByHand = {}): Promise<boolean> {
    checkId("requeueDeadLetter", id, "dead letter");
    return (await changes()).changeDeadLetter(this.tools, "requeueDeadLetter", id, options);
  }

  /**
   * Deletes a dead letter; `false` for an unknown id.
   *
   * @example
   * ```ts
   * const { deadLetters } = await client.admin.deadLetters();
   * for (const { id } of deadLetters) await client.admin.dropDeadLetter(id);
   * ```
   */
  async dropDeadLetter(id: string, options: ByHand = {}): Promise<boolean> {
    checkId("dropDeadLetter", id, "dead letter");
    return (await changes()).changeDeadLetter(this.tools, "dropDeadLetter", id, options);
  }

  /**
   * Deletes a root instance and its children. Running ones only with `force`.
   *
   * @example
   * ```ts
   * await client.admin.delete("order-42"); // it has ended
   * ```
   */
  async delete(instanceId: string, options: DeleteByHand = {}): Promise<DeleteResult> {
    checkId("delete", instanceId);
    return (await changes()).deleteOne(this.tools, instanceId, options);
  }

  /**
   * Deletes finished roots that match, with their children, the oldest ends first; running ones are skipped, and those of
   * which a child runs. 1000 at a call unless `limit` says otherwise.
   *
   * @example
   * ```ts
   * const weekAgoMs = Date.now() - 7 * 24 * 3_600_000;
   * const { instancesDeleted } = await client.admin.deleteAll({ completedBeforeMs: weekAgoMs });
   * ```
   */
  async deleteAll(filter: BulkFilter, options: ByHand = {}): Promise<DeleteResult> {
    return (await changes()).deleteMany(this.tools, filter, options);
  }

  /**
   * Deletes old executions of one instance; never the current one.
   *
   * @example
   * ```ts
   * await client.admin.prune("order-42", { keepLast: 2, by: "ada", reason: "old months" });
   * ```
   */
  async prune(instanceId: string, options: PruneByHand): Promise<PruneResult> {
    checkId("prune", instanceId);
    return (await changes()).pruneOne(this.tools, instanceId, options);
  }

  /**
   * Deletes old executions of all instances that match, running ones included; never a current execution.
   *
   * @example
   * ```ts
   * await client.admin.pruneAll({ instanceIds: ["nightly"] }, { keepLast: 2 });
   * ```
   */
  async pruneAll(filter: BulkFilter, options: PruneByHand): Promise<PruneResult> {
    return (await changes()).pruneMany(this.tools, filter, options);
  }

  /**
   * No turn of the instance begins until it is resumed; all messages to it wait, including a cancellation. A turn and
   * activities that already run continue. Rust workers do not respect a suspension. RefusedError if it has ended.
   *
   * @example
   * ```ts
   * await client.admin.suspend("order-42", { reason: "the bank is down", by: "ada" });
   * ```
   */
  async suspend(instanceId: string, options: WithReason): Promise<SuspendResult> {
    checkVerb("suspend", instanceId, options);
    return (await changes()).suspend(this.tools, instanceId, options);
  }

  /**
   * Ends a suspension. Messages that arrived meanwhile are processed in their order.
   *
   * @example
   * ```ts
   * await client.admin.resume("order-42", { by: "ada" });
   * ```
   */
  async resume(instanceId: string, options: ResumeOptions = {}): Promise<ResumeResult> {
    checkVerb("resume", instanceId, options);
    return (await changes()).resume(this.tools, instanceId, options);
  }

  /**
   * Retries a failed instance from before its failure: the activities and children that failed last run again, and all
   * other recorded results are kept. This happens in the next execution; the failed one stays as a record. A cancelled
   * instance continues. RefusedError if it has not failed, or if its own code failed.
   *
   * @example
   * ```ts
   * await client.admin.retry("order-42", { reason: "the bank is back", by: "ada" });
   * ```
   */
  async retry(instanceId: string, options: RetryOptions = {}): Promise<RetryResult> {
    checkVerb("retry", instanceId, options);
    return (await changes()).retry(this.tools, instanceId, options);
  }

  /**
   * Returns to an event of the current execution: the next execution repeats what came after it. Calls that are open
   * at that event run again; children that were begun later are cancelled. A running execution is ended first.
   * RefusedError if there is no such event. With `beforeFailure` it goes back to before the turn with which the instance
   * failed, for which corrected code is there now.
   *
   * @example
   * ```ts
   * const failed = { status: ["Failed"], failureCategory: ["application"], name: ["checkout"] } as const;
   * await client.admin.forEach(failed, (id) =>
   *   client.admin.rewind(id, { beforeFailure: true, reason: "checkout is corrected", idempotencyKeys: "same" }),
   * );
   * ```
   */
  async rewind(instanceId: string, options: RewindOptions): Promise<RetryResult> {
    checkVerb("rewind", instanceId, options);
    return (await changes()).rewind(this.tools, instanceId, options);
  }

  /**
   * Starts an instance that has ended again, with its name, version and first input: as its next execution, or under a
   * new id. RefusedError if it runs, AlreadyExistsError if the new id is taken.
   *
   * @example
   * ```ts
   * await client.admin.restart("order-42", { by: "ada", reason: "the price was wrong" });
   * ```
   */
  async restart(instanceId: string, options: RestartOptions = {}): Promise<RestartResult> {
    checkVerb("restart", instanceId, options);
    return (await changes()).restart(this.tools, instanceId, options);
  }

  /**
   * Ends the instance now without running its code, even if it is suspended or blocked: it fails as cancelled. Its
   * record stays; its activities are dropped and its children cancelled. RefusedError if it has ended.
   *
   * @example
   * ```ts
   * await client.admin.terminate("order-42", { by: "ada", reason: "a duplicate" });
   * ```
   */
  async terminate(instanceId: string, options: WithReason): Promise<void> {
    checkVerb("terminate", instanceId, options);
    return (await changes()).terminate(this.tools, instanceId, options);
  }

  /**
   * Delivers a message again that was set aside (`setAside` of the timeline), once, as a new message with the stored or a
   * corrected payload. RefusedError if the event is no such message, NotDeliveredError if the instance has ended.
   *
   * @example
   * ```ts
   * for (const { id } of (await client.admin.timeline("order-42")).setAside)
   *   await client.admin.redeliver("order-42", { eventId: id, message: { by: "Ada" } });
   * ```
   */
  async redeliver(instanceId: string, options: RedeliverOptions): Promise<RedeliverResult> {
    return (await changes()).redeliver(this.tools, instanceId, options);
  }

  /**
   * Calls a verb for all instances that match, newest first, and resolves with the counts. A refusal or failure of one
   * instance does not stop the others. A program that was stopped can continue with the last `after` of `onProgress`;
   * the instances of that page may get the verb twice.
   *
   * @example
   * ```ts
   * const { admin } = client;
   * const failed = { status: ["Failed"], failureCategory: ["application"], name: ["checkout"] } as const;
   * await admin.forEach(failed, (id) => admin.retry(id, { by: "ada", reason: "the bank is back" }));
   * ```
   */
  async forEach(
    filter: InstanceFilter,
    verb: BulkVerb,
    options: ForEachOptions = {},
  ): Promise<ForEachResult> {
    return (await changes()).forEachInstance(this.tools, filter, verb, options);
  }
}

/** Loaded at the first change: a program that only starts and watches instances starts faster without them. */
function changes(): Promise<typeof import("./verbs/changes.ts")> {
  return import("./verbs/changes.ts");
}
