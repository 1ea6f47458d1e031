/**
 * The provider's admin interface for clients: iterates over lists and passes other calls on. Arguments are checked here
 * too, because a store that treats an invalid date as no condition would delete everything.
 */
import type {
  DeleteResult,
  ExecutionInfo,
  ProviderAdmin,
  PruneResult,
  QueueDepths,
  SystemMetrics,
} from "../contract/admin.ts";
import type { InstanceInfo } from "../contract/instance-info.ts";
import type { ListedStatus } from "../contract/listed-status.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type {
  CountKey,
  DeadLetterPage,
  DeadLetterQuery,
  InstanceCounts,
  InstanceFilter,
  InstanceQuery,
  InstanceQueryPage,
  Worker,
  WorkPage,
  WorkQuery,
} from "../contract/queries.ts";
import {
  checkCountKeys,
  checkDeadLetterQuery,
  checkInstanceFilter,
  checkInstanceQuery,
  checkWorkQuery,
} from "../contract/query-arguments.ts";
import type { Blocked } from "../contract/status.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkClientCall } from "../guard/client-calls.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import type { InstanceTimeline } from "../timeline/timeline.ts";
import { timelineOf } from "../timeline/timeline-of.ts";
import type { HistoryEvent } from "../wire/event.ts";
import { wholeInputs } from "../wire/shared-inputs.ts";
import { instanceIds } from "./instance-ids.ts";
import { type InstanceTree, treeOf } from "./instance-tree.ts";
import { type BlockedOptions, listBlocked } from "./list-blocked.ts";
import { notStarted } from "./not-started.ts";
import type { BulkVerb, ForEachOptions, ForEachResult } from "./verbs/for-each.ts";
import type { RedeliverOptions, RedeliverResult } from "./verbs/redeliver.ts";
import type { VerbTools } from "./verbs/revising.ts";
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

/** The filter of `Admin.instances`. */
export interface InstancesOptions {
  /** Status of the current execution. */
  readonly status?: ListedStatus;
  /** Ids read at a time; 100 by default, 1000 at most. */
  readonly pageSize?: number;
}

/** How many instances run, and how much work is blocked. */
export type RunningMetrics = Pick<QueueDepths, "runningInstances" | "blockedWork">;

const INSTANCES_OPTIONS: OptionList = optionList<InstancesOptions>({ status: true, pageSize: true });

/** Lists, inspects and removes instances; available as `client.admin`. Rejects with ProviderError. */
export class Admin {
  readonly #unchecked: VerbTools;

  constructor(tools: VerbTools) {
    this.#unchecked = tools;
  }

  get #tools(): VerbTools {
    checkClientCall();
    return this.#unchecked;
  }

  get #admin(): ProviderAdmin {
    return this.#tools.admin;
  }

  /**
   * A page of the instances that match, newest first by default. A page may have fewer instances than its limit, or
   * none, and still a continuation.
   *
   * @example
   * ```ts
   * const hourAgoMs = Date.now() - 3_600_000;
   * const filter = { status: ["Failed"], name: ["checkout"], updatedFromMs: hourAgoMs } as const;
   * const { instances } = await client.admin.query({ filter, limit: 20 });
   * for (const { instanceId, failure } of instances) console.log(instanceId, failure?.message);
   * ```
   */
  async query(query: InstanceQuery = {}): Promise<InstanceQueryPage> {
    checkInstanceQuery("queryInstances", query);
    return this.#admin.queryInstances(query);
  }

  /**
   * The number of instances that match, in total or by the given properties. It reads all of them; `cost` says what
   * that took, where the store charges by request.
   *
   * @example
   * ```ts
   * const { counts } = await client.admin.count({ status: ["Running"] }, ["name", "version"]);
   * for (const { key, count } of counts) console.log(key.join("@"), count);
   * ```
   */
  async count(filter: InstanceFilter = {}, by: readonly CountKey[] = []): Promise<InstanceCounts> {
    checkInstanceFilter("countInstances", filter);
    checkCountKeys("countInstances", by);
    return this.#admin.countInstances(filter, by);
  }

  /** A page of the rows of both queues, with their locks. */
  async work(query: WorkQuery = {}): Promise<WorkPage> {
    checkWorkQuery("listWork", query);
    return this.#admin.listWork(query);
  }

  /** A page of the rows that no process could read, newest first. */
  async deadLetters(query: DeadLetterQuery = {}): Promise<DeadLetterPage> {
    checkDeadLetterQuery("listDeadLetters", query);
    return this.#admin.listDeadLetters(query);
  }

  /** Puts a dead letter back into its queue, for processes that can read it; `false` for an unknown id. */
  async requeueDeadLetter(id: string, options: ByHand = {}): Promise<boolean> {
    checkId("requeueDeadLetter", id, "dead letter");
    return (await changes()).changeDeadLetter(this.#tools, "requeueDeadLetter", id, options);
  }

  /** Deletes a dead letter; `false` for an unknown id. */
  async dropDeadLetter(id: string, options: ByHand = {}): Promise<boolean> {
    checkId("dropDeadLetter", id, "dead letter");
    return (await changes()).changeDeadLetter(this.#tools, "dropDeadLetter", id, options);
  }

  /** The processes that reported themselves within the last two minutes, by id. */
  async workers(): Promise<readonly Worker[]> {
    return this.#admin.listWorkers();
  }

  /** Instance ids, newest first. */
  async *instances(options: InstancesOptions = {}): AsyncGenerator<string, void, undefined> {
    checkOptions("admin.instances", options, INSTANCES_OPTIONS);
    const { status, pageSize } = options;
    const filter = status === undefined ? {} : { status: [status] };
    checkInstanceQuery("queryInstances", { filter, ...(pageSize !== undefined && { limit: pageSize }) });
    yield* instanceIds(this.#admin, filter, pageSize);
  }

  /** One instance as stored; `instance-not-found` for an unknown id. */
  async info(instanceId: string): Promise<InstanceInfo> {
    checkId("info", instanceId);
    return this.#admin.getInstanceInfo(instanceId);
  }

  /** Ids of the stored executions, ascending; empty for an unknown instance. */
  async executions(instanceId: string): Promise<readonly number[]> {
    checkId("executions", instanceId);
    return (await this.#admin.listExecutions(instanceId)).map(({ executionId }) => executionId);
  }

  /** One execution as stored; `instance-not-found` when there is none. */
  async execution(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    checkId("execution", instanceId);
    const [execution] = await this.#admin.listExecutions(instanceId, executionId);
    if (execution === undefined) throw ProviderError.notFound("listExecutions", instanceId, executionId);
    return execution;
  }

  /** Events, oldest first, of the newest execution by default. */
  async history(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    checkId("history", instanceId);
    return wholeInputs(await this.#tools.provider.readHistory(instanceId, executionId));
  }

  /**
   * The newest execution by default, as steps with their attempts, and what it waits for. One read of its history, and
   * one of the queue while a call with a limit is open; no code runs. `instance-not-found` for an unknown instance or
   * execution (docs/decisions/command-line.md).
   *
   * @example
   * ```ts
   * const { steps, waits } = await client.admin.timeline("order-42");
   * for (const { kind, name, dueAtMs } of waits) console.log(kind, name, dueAtMs);
   * ```
   */
  async timeline(instanceId: string, executionId?: number): Promise<InstanceTimeline> {
    checkId("timeline", instanceId);
    const timeline = timelineOf(await this.#tools.provider.readHistory(instanceId, executionId));
    if (timeline?.steps.some((step) => "limit" in step) === true) {
      const { withHeldWaits } = await import("./held-waits.ts");
      return withHeldWaits(this.#admin, timeline);
    }
    if (timeline !== undefined) return timeline;
    if (executionId !== undefined) await this.execution(instanceId, executionId);
    return notStarted(await this.#admin.getInstanceInfo(instanceId));
  }

  /** The instance and its descendants, children before parents; an unknown id is a tree of one. */
  async tree(instanceId: string): Promise<InstanceTree> {
    checkId("tree", instanceId);
    return treeOf(this.#admin, instanceId);
  }

  /**
   * Blocked instances and activities, longest first, then activities with a tag that no process serves.
   */
  async *blocked(options: BlockedOptions = {}): AsyncGenerator<Blocked, void, undefined> {
    yield* listBlocked(this.#admin, options);
  }

  /** How many instances run and how much work is blocked. What it costs grows with what runs, not with what is stored. */
  async runningMetrics(): Promise<RunningMetrics> {
    const { runningInstances, blockedWork } = await this.#admin.getQueueDepths();
    return { runningInstances, ...(blockedWork !== undefined && { blockedWork }) };
  }

  /** Counts over the whole store. On Cosmos DB some of them read an index of all that is stored: do not poll them. */
  metrics(): Promise<SystemMetrics> {
    return this.#admin.getSystemMetrics();
  }

  /** The number of rows that are visible and not locked, and what `runningMetrics` returns. */
  queueDepths(): Promise<QueueDepths> {
    return this.#admin.getQueueDepths();
  }

  /** Deletes a root instance and its children. Running ones only with `force`. */
  async delete(instanceId: string, options: DeleteByHand = {}): Promise<DeleteResult> {
    checkId("delete", instanceId);
    return (await changes()).deleteOne(this.#tools, instanceId, options);
  }

  /**
   * Deletes finished roots that match, with their children, the oldest ends first; running ones are skipped. 1000 at a
   * call unless `limit` says otherwise.
   *
   * @example
   * ```ts
   * const weekAgoMs = Date.now() - 7 * 24 * 3_600_000;
   * const { instancesDeleted } = await client.admin.deleteAll({ completedBeforeMs: weekAgoMs });
   * ```
   */
  async deleteAll(filter: BulkFilter, options: ByHand = {}): Promise<DeleteResult> {
    return (await changes()).deleteMany(this.#tools, filter, options);
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
    return (await changes()).pruneOne(this.#tools, instanceId, options);
  }

  /** Deletes old executions of all instances that match, running ones included; never a current execution. */
  async pruneAll(filter: BulkFilter, options: PruneByHand): Promise<PruneResult> {
    return (await changes()).pruneMany(this.#tools, filter, options);
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
    return (await changes()).suspend(this.#tools, instanceId, options);
  }

  /** Ends a suspension. Messages that arrived meanwhile are processed in their order. */
  async resume(instanceId: string, options: ResumeOptions = {}): Promise<ResumeResult> {
    checkVerb("resume", instanceId, options);
    return (await changes()).resume(this.#tools, instanceId, options);
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
    return (await changes()).retry(this.#tools, instanceId, options);
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
    return (await changes()).rewind(this.#tools, instanceId, options);
  }

  /**
   * Starts an instance that has ended again, with its name, version and first input: as its next execution, or under a
   * new id. RefusedError if it runs, AlreadyExistsError if the new id is taken.
   */
  async restart(instanceId: string, options: RestartOptions = {}): Promise<RestartResult> {
    checkVerb("restart", instanceId, options);
    return (await changes()).restart(this.#tools, instanceId, options);
  }

  /**
   * Ends the instance now without running its code, even if it is suspended or blocked: it fails as cancelled. Its
   * record stays; its activities are dropped and its children cancelled. RefusedError if it has ended.
   */
  async terminate(instanceId: string, options: WithReason): Promise<void> {
    checkVerb("terminate", instanceId, options);
    return (await changes()).terminate(this.#tools, instanceId, options);
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
    return (await changes()).redeliver(this.#tools, instanceId, options);
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
    return (await changes()).forEachInstance(this.#tools, filter, verb, options);
  }
}

/** Loaded at the first change: a program that only starts and watches instances starts faster without them. */
function changes(): Promise<typeof import("./verbs/changes.ts")> {
  return import("./verbs/changes.ts");
}

/** Only the type: instances of other writers may have ids that a client's start refuses. */
function checkId(call: string, id: unknown, of = "instance"): void {
  if (typeof id === "string") return;
  throw new InvalidInputError(`admin.${call}: the ${of} id must be a string; got ${shown(id)}`);
}
