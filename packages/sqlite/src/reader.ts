/**
 * The provider of tools that only read: what `SqliteProvider` is with `readOnly`, without the modules that write. Half
 * as many modules make a command start faster.
 *
 * @module @duroxide-ts/sqlite/reader
 */
import type { Provider, ProviderAdmin, ProviderLimits } from "@duroxide-ts/core/stores";
import { readerAdmin } from "./admin/reader-admin.ts";
import { openDatabase } from "./connection/open-database.ts";
import { type SqliteProviderOptions, toSettings } from "./connection/options.ts";
import type { FetchRequest, FetchSource } from "./fetching/fetch-source.ts";
import { SqliteReads } from "./reads.ts";
import { inspect } from "./schema/inspect.ts";
import { Store } from "./store.ts";

/** An existing file, opened for reading. Every write and every fetch is rejected with `read-only`. */
export class SqliteReader extends SqliteReads implements Provider {
  readonly admin: ProviderAdmin;
  readonly limits: ProviderLimits;
  readonly fetchOrchestrationItem: Refusal = this.#refusal("fetchOrchestrationItem");
  readonly ackOrchestrationItem: Refusal = this.#refusal("ackOrchestrationItem");
  readonly abandonOrchestrationItem: Refusal = this.#refusal("abandonOrchestrationItem");
  readonly renewOrchestrationItemLock: Refusal = this.#refusal("renewOrchestrationItemLock");
  readonly appendHistory: Refusal = this.#refusal("appendHistory");
  readonly enqueueForWorker: Refusal = this.#refusal("enqueueForWorker");
  readonly enqueueForOrchestrator: Refusal = this.#refusal("enqueueForOrchestrator");
  readonly startInstance: Refusal = this.#refusal("startInstance");
  readonly fetchWorkItem: Refusal = this.#refusal("fetchWorkItem");
  readonly ackWorkItem: Refusal = this.#refusal("ackWorkItem");
  readonly ackFusedTurn: Refusal = this.#refusal("ackFusedTurn");
  readonly appendStream: Refusal = this.#refusal("appendStream");
  readonly reportProgress: Refusal = this.#refusal("reportProgress");
  readonly renewWorkItemLock: Refusal = this.#refusal("renewWorkItemLock");
  readonly abandonWorkItem: Refusal = this.#refusal("abandonWorkItem");
  readonly renewSessionLocks: Refusal = this.#refusal("renewSessionLocks");
  readonly cleanupOrphanedSessions: Refusal = this.#refusal("cleanupOrphanedSessions");

  /**
   * Opens an existing file, and takes no lock that a writer needs. Rejects as `SqliteProvider.open` does with
   * `readOnly`.
   *
   * @example
   * ```ts
   * import { SqliteReader } from "@duroxide-ts/sqlite/reader";
   * await using reader = await SqliteReader.open("orders.db");
   * ```
   */
  static async open(
    path: string,
    options: Omit<SqliteProviderOptions, "readOnly"> = {},
  ): Promise<SqliteReader> {
    const settings = toSettings({ ...options, readOnly: true });
    const opened = await openDatabase(path, settings, { inspect, migrate: () => {} });
    const store = new Store(opened, settings, { orchestrations: () => NO_SOURCE, activities: NO_SOURCE });
    return new SqliteReader(store, readerAdmin(store, settings.clock));
  }

  private constructor(store: Store, admin: ProviderAdmin) {
    super(store);
    this.admin = admin;
    this.limits = { ...this.limitReads, setLimit: this.#refusal("setLimit") };
  }

  #refusal(operation: string): Refusal {
    return async () => this.store.refuse(operation);
  }
}

type Refusal = () => Promise<never>;

/** Never asked, because fetches are refused. */
const NO_SOURCE: FetchSource<FetchRequest, never> = {
  operation: "fetch",
  groupOf: () => undefined,
  ownerOf: () => "",
  peek: () => ({ found: [], nothingLeft: true }),
  take: () => ({ found: [], nothingLeft: true }),
  dueTimes: ({ activities }) => activities,
  nextDueMs: () => Number.POSITIVE_INFINITY,
};
