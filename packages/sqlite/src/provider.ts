/** The provider: connects methods with their files. It has no logic. */
import {
  type AbandonOptions,
  type AckedOrchestration,
  type ActivityExecute,
  type ActivityOutcome,
  type AppendOutcome,
  checkFetchOrchestration,
  checkFetchWork,
  checkItem,
  type EnqueueOptions,
  type EnqueueOutcome,
  type FetchedOrchestration,
  type FetchedWork,
  type FetchOrchestrationOptions,
  type FetchWorkOptions,
  type FusedAck,
  type FusedOutcome,
  type HistoryEvent,
  type OrchestrationAck,
  type OrchestratorItem,
  type ProgressReport,
  type Provider,
  type ProviderAdmin,
  type ProviderLimits,
  type RenewOptions,
  type RenewSessionsOptions,
  type StartInstanceOptions,
  type StartOutcome,
  type StreamAppend,
  toInstanceId,
  type WorkItemOf,
} from "@duroxide-ts/core/stores";
import { sqliteAdmin } from "./admin/admin.ts";
import { type CompactOptions, type CompactResult, compact } from "./admin/compaction.ts";
import { openDatabase } from "./connection/open-database.ts";
import {
  invalidOption,
  type Settings,
  type SqliteProviderOptions,
  toSettings,
} from "./connection/options.ts";
import { abandonOrchestrationItem } from "./operations/abandon-orchestration-item.ts";
import { abandonWorkItem } from "./operations/abandon-work-item.ts";
import { ackFusedTurn } from "./operations/ack-fused-turn.ts";
import { ackOrchestrationItem } from "./operations/ack-orchestration-item.ts";
import { ackWorkItem } from "./operations/ack-work-item.ts";
import { appendHistory } from "./operations/append-history.ts";
import { appendStream } from "./operations/append-stream.ts";
import { cleanupOrphanedSessions } from "./operations/cleanup-orphaned-sessions.ts";
import { enqueueForOrchestrator } from "./operations/enqueue-for-orchestrator.ts";
import { enqueueForWorker } from "./operations/enqueue-for-worker.ts";
import { OrchestrationSource } from "./operations/fetch-orchestration-item.ts";
import { workSource } from "./operations/fetch-work-item.ts";
import { renewOrchestrationItemLock } from "./operations/renew-orchestration-item-lock.ts";
import { renewSessionLocks } from "./operations/renew-session-locks.ts";
import { renewWorkItemLock } from "./operations/renew-work-item-lock.ts";
import { reportProgress } from "./operations/report-progress.ts";
import { setLimit } from "./operations/set-limit.ts";
import { startInstance } from "./operations/start-instance.ts";
import { SqliteReads } from "./reads.ts";
import { inspect } from "./schema/inspect.ts";
import { migrate } from "./schema/migrate.ts";
import { type Sources, Store } from "./store.ts";

const SOURCES: Sources = {
  orchestrations: (earlyTurns) => new OrchestrationSource(earlyTurns),
  activities: workSource,
};

/** The store in one SQLite file, shared by any number of processes of one machine. Created by `SqliteProvider.open`. */
export class SqliteProvider extends SqliteReads implements Provider {
  readonly admin: ProviderAdmin;
  readonly limits: ProviderLimits;

  private constructor(store: Store, settings: Settings | undefined) {
    if (settings === undefined) throw invalidOption("open it with await SqliteProvider.open(path)");
    super(store);
    this.admin = sqliteAdmin(store, settings.clock);
    this.limits = {
      ...this.limitReads,
      setLimit: async (key, change) => store.write("setLimit", setLimit(key, change)),
    };
  }

  /**
   * Opens a file, or creates it with its directories, or opens a database in memory (":memory:"). Rejects with
   * `invalid-input` for an invalid path, `cannot-open` for a file that cannot be opened or belongs to another
   * application, and `unavailable` if another process kept it locked.
   *
   * @example
   * ```ts
   * await using provider = await SqliteProvider.open("orders.db");
   * ```
   */
  static async open(path: string, options: SqliteProviderOptions = {}): Promise<SqliteProvider> {
    const settings = toSettings(options);
    const opened = await openDatabase(path, settings, { inspect, migrate });
    return new SqliteProvider(new Store(opened, settings, SOURCES), settings);
  }

  async fetchOrchestrationItem(
    options: FetchOrchestrationOptions,
  ): Promise<FetchedOrchestration | undefined> {
    return this.store.fetchOrchestration(checkFetchOrchestration(options));
  }

  async ackOrchestrationItem(ack: OrchestrationAck): Promise<AckedOrchestration> {
    return this.store.endTurn(
      "ackOrchestrationItem",
      ack.lockToken,
      ackOrchestrationItem(ack, this.store.knownInstances),
    );
  }

  async abandonOrchestrationItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    const operation = abandonOrchestrationItem(lockToken, options);
    return this.store.endTurn("abandonOrchestrationItem", lockToken, operation);
  }

  async renewOrchestrationItemLock(
    lockToken: string,
    extendMs: number,
    options?: RenewOptions,
  ): Promise<void> {
    const operation = renewOrchestrationItemLock(lockToken, extendMs, options);
    return this.store.write("renewOrchestrationItemLock", operation);
  }

  async appendHistory(
    instanceId: string,
    executionId: number,
    events: readonly HistoryEvent[],
  ): Promise<void> {
    return this.store.write(
      "appendHistory",
      appendHistory(toInstanceId("appendHistory", instanceId), executionId, events),
    );
  }

  async enqueueForWorker(item: ActivityExecute): Promise<void> {
    checkItem("enqueueForWorker", item);
    return this.store.write("enqueueForWorker", enqueueForWorker(item));
  }

  async enqueueForOrchestrator(
    item: OrchestratorItem,
    delayMs?: number,
    options?: EnqueueOptions,
  ): Promise<EnqueueOutcome> {
    checkItem("enqueueForOrchestrator", item);
    const operation = enqueueForOrchestrator(item, delayMs, options);
    return this.store.write("enqueueForOrchestrator", operation);
  }

  async startInstance(
    start: WorkItemOf<"StartOrchestration">,
    options: StartInstanceOptions,
  ): Promise<StartOutcome> {
    return this.store.write("startInstance", startInstance(start, options));
  }

  async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    return this.store.fetchWork(checkFetchWork(options));
  }

  async ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void> {
    return this.store.write("ackWorkItem", ackWorkItem(lockToken, outcome));
  }

  async ackFusedTurn(ack: FusedAck): Promise<FusedOutcome> {
    return this.store.write("ackFusedTurn", ackFusedTurn(ack, this.store.knownInstances));
  }

  async appendStream(append: StreamAppend): Promise<AppendOutcome> {
    return this.store.write("appendStream", appendStream(append));
  }

  async reportProgress(report: ProgressReport): Promise<void> {
    return this.store.write("reportProgress", reportProgress(report));
  }

  async renewWorkItemLock(lockToken: string, extendMs: number, options?: RenewOptions): Promise<void> {
    return this.store.write("renewWorkItemLock", renewWorkItemLock(lockToken, extendMs, options));
  }

  async abandonWorkItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    return this.store.write("abandonWorkItem", abandonWorkItem(lockToken, options));
  }

  async renewSessionLocks(options: RenewSessionsOptions): Promise<number> {
    return this.store.write("renewSessionLocks", renewSessionLocks(options));
  }

  async cleanupOrphanedSessions(): Promise<number> {
    return this.store.write("cleanupOrphanedSessions", cleanupOrphanedSessions());
  }

  /**
   * Returns free space to the file system, in steps of a few milliseconds between other work. Bulk deletion and pruning
   * do so for free space above 2 MB. Rejects with `invalid-input` for a file of an older version, which must be
   * rewritten once: `rewrite` does so, and blocks the process and all other writers until it ends.
   */
  compact(options: CompactOptions = {}): Promise<CompactResult> {
    return compact(this.store, options);
  }
}
