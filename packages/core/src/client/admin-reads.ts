/**
 * Reads of the provider's admin interface for clients: iterates over lists and passes other calls on. Arguments are checked here
 * too.
 */
import type { ExecutionInfo, ProviderAdmin, QueueDepths, SystemMetrics } from "../contract/admin.ts";
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
import type { VerbTools } from "./verbs/revising.ts";

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

/** Calls of `Admin` that look and change nothing. */
export class AdminReads {
  readonly #unchecked: VerbTools;

  constructor(tools: VerbTools) {
    this.#unchecked = tools;
  }

  /** Tools of the calls; refused inside orchestration code. */
  protected get tools(): VerbTools {
    checkClientCall();
    return this.#unchecked;
  }

  get #admin(): ProviderAdmin {
    return this.tools.admin;
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

  /**
   * A page of the rows of both queues, with their locks.
   *
   * @example
   * ```ts
   * const { work } = await client.admin.work({ kind: "worker", overdueByMs: 60_000 });
   * ```
   */
  async work(query: WorkQuery = {}): Promise<WorkPage> {
    checkWorkQuery("listWork", query);
    return this.#admin.listWork(query);
  }

  /**
   * A page of the rows that no process could read, newest first.
   *
   * @example
   * ```ts
   * const { deadLetters } = await client.admin.deadLetters();
   * for (const { id, instanceId, reason } of deadLetters) console.log(id, instanceId, reason);
   * ```
   */
  async deadLetters(query: DeadLetterQuery = {}): Promise<DeadLetterPage> {
    checkDeadLetterQuery("listDeadLetters", query);
    return this.#admin.listDeadLetters(query);
  }

  /**
   * The processes that reported themselves within the last two minutes, by id.
   *
   * @example
   * ```ts
   * for (const { workerId, host } of await client.admin.workers()) console.log(workerId, host);
   * ```
   */
  async workers(): Promise<readonly Worker[]> {
    return this.#admin.listWorkers();
  }

  /**
   * Instance ids, newest first.
   *
   * @example
   * ```ts
   * for await (const id of client.admin.instances({ status: "Running" })) console.log(id);
   * ```
   */
  async *instances(options: InstancesOptions = {}): AsyncGenerator<string, void, undefined> {
    checkOptions("admin.instances", options, INSTANCES_OPTIONS);
    const { status, pageSize } = options;
    const filter = status === undefined ? {} : { status: [status] };
    checkInstanceQuery("queryInstances", { filter, ...(pageSize !== undefined && { limit: pageSize }) });
    yield* instanceIds(this.#admin, filter, pageSize);
  }

  /**
   * One instance as stored; `instance-not-found` for an unknown id.
   *
   * @example
   * ```ts
   * const { orchestrationName, orchestrationVersion, status } = await client.admin.info("order-42");
   * ```
   */
  async info(instanceId: string): Promise<InstanceInfo> {
    checkId("info", instanceId);
    return this.#admin.getInstanceInfo(instanceId);
  }

  /**
   * Ids of the stored executions, ascending; empty for an unknown instance.
   *
   * @example
   * ```ts
   * const ids = await client.admin.executions("order-42"); // [1, 2]
   * ```
   */
  async executions(instanceId: string): Promise<readonly number[]> {
    checkId("executions", instanceId);
    return (await this.#admin.listExecutions(instanceId)).map(({ executionId }) => executionId);
  }

  /**
   * One execution as stored; `instance-not-found` when there is none.
   *
   * @example
   * ```ts
   * const execution = await client.admin.execution("order-42", 1);
   * console.log(execution.status);
   * ```
   */
  async execution(instanceId: string, executionId: number): Promise<ExecutionInfo> {
    checkId("execution", instanceId);
    const [execution] = await this.#admin.listExecutions(instanceId, executionId);
    if (execution === undefined) throw ProviderError.notFound("listExecutions", instanceId, executionId);
    return execution;
  }

  /**
   * Events, oldest first, of the newest execution by default.
   *
   * @example
   * ```ts
   * const events = await client.admin.history("order-42");
   * for (const event of events) console.log(event.event_id, event.type);
   * ```
   */
  async history(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    checkId("history", instanceId);
    return wholeInputs(await this.tools.provider.readHistory(instanceId, executionId));
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
    const timeline = timelineOf(await this.tools.provider.readHistory(instanceId, executionId));
    if (timeline?.steps.some((step) => "limit" in step) === true) {
      const { withHeldWaits } = await import("./held-waits.ts");
      return withHeldWaits(this.#admin, timeline);
    }
    if (timeline !== undefined) return timeline;
    if (executionId !== undefined) await this.execution(instanceId, executionId);
    return notStarted(await this.#admin.getInstanceInfo(instanceId));
  }

  /**
   * The instance and its descendants, children before parents; an unknown id is a tree of one.
   *
   * @example
   * ```ts
   * const { allIds } = await client.admin.tree("order-42"); // it and its children
   * ```
   */
  async tree(instanceId: string): Promise<InstanceTree> {
    checkId("tree", instanceId);
    return treeOf(this.#admin, instanceId);
  }

  /**
   * Blocked instances and activities, longest first, then activities with a tag that no process serves.
   *
   * @example
   * ```ts
   * for await (const { instanceId, reason, detail } of client.admin.blocked()) console.log(instanceId, reason, detail);
   * ```
   */
  async *blocked(options: BlockedOptions = {}): AsyncGenerator<Blocked, void, undefined> {
    yield* listBlocked(this.#admin, options);
  }

  /**
   * How many instances run and how much work is blocked. What it costs grows with what runs, not with what is stored.
   *
   * @example
   * ```ts
   * const { runningInstances, blockedWork } = await client.admin.runningMetrics();
   * ```
   */
  async runningMetrics(): Promise<RunningMetrics> {
    const { runningInstances, blockedWork } = await this.#admin.getQueueDepths();
    return { runningInstances, ...(blockedWork !== undefined && { blockedWork }) };
  }

  /**
   * Counts over the whole store. On Cosmos DB some of them read an index of all that is stored: do not poll them.
   *
   * @example
   * ```ts
   * const { totalInstances } = await client.admin.metrics();
   * ```
   */
  metrics(): Promise<SystemMetrics> {
    return this.#admin.getSystemMetrics();
  }

  /**
   * The number of rows that are visible and not locked, and what `runningMetrics` returns.
   *
   * @example
   * ```ts
   * const { orchestratorQueue, workerQueue } = await client.admin.queueDepths();
   * ```
   */
  queueDepths(): Promise<QueueDepths> {
    return this.#admin.getQueueDepths();
  }
}

/** Only the type: instances of other writers may have ids that a client's start refuses. */
export function checkId(call: string, id: unknown, of = "instance"): void {
  if (typeof id === "string") return;
  throw new InvalidInputError(`admin.${call}: the ${of} id must be a string; got ${shown(id)}`);
}
