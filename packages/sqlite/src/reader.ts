/**
 * The provider of tools that only read: what `SqliteProvider` is with `readOnly`, without the modules that write. Half
 * as many modules make a command start faster.
 *
 * @module @duroxide-ts/sqlite/reader
 */
import type { Provider, ProviderAdmin } from "@duroxide-ts/core/stores";
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
  }

  fetchOrchestrationItem(): Promise<never> {
    return this.#refused("fetchOrchestrationItem");
  }

  ackOrchestrationItem(): Promise<never> {
    return this.#refused("ackOrchestrationItem");
  }

  abandonOrchestrationItem(): Promise<never> {
    return this.#refused("abandonOrchestrationItem");
  }

  renewOrchestrationItemLock(): Promise<never> {
    return this.#refused("renewOrchestrationItemLock");
  }

  appendHistory(): Promise<never> {
    return this.#refused("appendHistory");
  }

  enqueueForWorker(): Promise<never> {
    return this.#refused("enqueueForWorker");
  }

  enqueueForOrchestrator(): Promise<never> {
    return this.#refused("enqueueForOrchestrator");
  }

  startInstance(): Promise<never> {
    return this.#refused("startInstance");
  }

  fetchWorkItem(): Promise<never> {
    return this.#refused("fetchWorkItem");
  }

  ackWorkItem(): Promise<never> {
    return this.#refused("ackWorkItem");
  }

  ackFusedTurn(): Promise<never> {
    return this.#refused("ackFusedTurn");
  }

  renewWorkItemLock(): Promise<never> {
    return this.#refused("renewWorkItemLock");
  }

  withdrawLoneRun(): Promise<never> {
    return this.#refused("withdrawLoneRun");
  }

  abandonWorkItem(): Promise<never> {
    return this.#refused("abandonWorkItem");
  }

  renewSessionLocks(): Promise<never> {
    return this.#refused("renewSessionLocks");
  }

  cleanupOrphanedSessions(): Promise<never> {
    return this.#refused("cleanupOrphanedSessions");
  }

  async #refused(operation: string): Promise<never> {
    return this.store.refuse(operation);
  }
}

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
