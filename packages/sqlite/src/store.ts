/**
 * One open database with its writer, its reader and its parked fetches. It imports no operation.
 *
 * - store.S1: From `close` on every call is rejected. Writes that were queued before are committed, then the fetches
 *   that wait end without work, and the file is closed last.
 * - store.S2: Watchers and warnings follow the commit, because a transaction that is rolled back has changed nothing.
 * - store.S3: A connection whose log is gone is closed at once and not when the process ends, because its close writes
 *   to the file (close-without-log.ts).
 */
import { basename } from "node:path";
import type { Clock, Logger } from "@duroxide-ts/core";
import {
  type FetchedOrchestration,
  type FetchedWork,
  type FetchOrchestrationOptions,
  type FetchWorkOptions,
  invariant,
  ProviderError,
  streamKey,
  toInstanceId,
  Watchers,
} from "@duroxide-ts/core/stores";
import { EarlyTurns } from "./commit/early-turns.ts";
import type { Effects } from "./commit/effects.ts";
import { KnownInstances } from "./commit/known-instances.ts";
import { LastStatuses } from "./commit/last-statuses.ts";
import { LockHolder } from "./commit/lock-holder.ts";
import { LogReserve } from "./commit/log-reserve.ts";
import { LogSync } from "./commit/log-sync.ts";
import { Reader } from "./commit/reader.ts";
import type { WriteOperation } from "./commit/transaction.ts";
import { Writer } from "./commit/writer.ts";
import { CheckpointThread } from "./connection/checkpoint-thread.ts";
import { CheckpointWatch } from "./connection/checkpoint-watch.ts";
import type { Database } from "./connection/database.ts";
import { DatabaseFile } from "./connection/database-file.ts";
import { DiskReserve } from "./connection/disk-reserve.ts";
import type { OpenedDatabase } from "./connection/open-database.ts";
import type { Settings } from "./connection/options.ts";
import { toProviderError } from "./connection/sqlite-error.ts";
import { DeadHolders } from "./fetching/dead-holders.ts";
import type { FetchSource } from "./fetching/fetch-source.ts";
import { ParkedFetches } from "./fetching/parked-fetches.ts";
import { WakeUps } from "./fetching/wake-ups.ts";
import { Begins, type LockedWork } from "./limits/begins.ts";

/** The sources of rows for parked fetches. */
export interface Sources {
  orchestrations(earlyTurns: EarlyTurns): FetchSource<FetchOrchestrationOptions, FetchedOrchestration>;
  readonly activities: FetchSource<FetchWorkOptions, LockedWork>;
}

export class Store {
  /** Name of the file. */
  readonly title: string;
  /** How often commits of other processes are looked for, ms; infinite if there can be none. */
  readonly pollIntervalMs: number;
  readonly diskReserve: DiskReserve;
  readonly knownInstances: KnownInstances = new KnownInstances();
  readonly lastStatuses: LastStatuses = new LastStatuses();
  readonly #db: Database;
  readonly #file: DatabaseFile;
  readonly #checkpoints: CheckpointWatch;
  readonly #logReserve: LogReserve;
  readonly #settings: Settings;
  readonly #logSync: LogSync;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #orchestrations: ParkedFetches<FetchOrchestrationOptions, FetchedOrchestration>;
  readonly #activities: ParkedFetches<FetchWorkOptions, LockedWork>;
  readonly #begins: Begins;
  readonly #wakeUps: WakeUps;
  readonly #watchers: Watchers;
  readonly #streamWatchers: Watchers;
  readonly #earlyTurns: EarlyTurns;
  #closing: Promise<void> | undefined;
  #released: Promise<void> | undefined;

  constructor({ db, files }: OpenedDatabase, settings: Settings, sources: Sources) {
    const { clock, random, busyTimeoutMs, pollIntervalMs, processes } = settings;
    const holder = new LockHolder(files === undefined ? undefined : processes);
    const wake = (): void => this.#writer.wake();
    this.title = files === undefined ? "in memory" : basename(files.path);
    this.#db = db;
    this.#watchers = new Watchers(clock, settings.logger);
    this.#streamWatchers = new Watchers(clock, settings.logger);
    this.#file = new DatabaseFile({
      files,
      clock,
      logger: settings.logger,
      onLogGone: () => this.#releaseFile(files?.realPath),
    });
    const path = files?.realPath;
    this.pollIntervalMs = path === undefined ? Number.POSITIVE_INFINITY : pollIntervalMs;
    this.#checkpoints = new CheckpointWatch({ db, path, clock, logger: settings.logger });
    this.#logReserve = new LogReserve(db, path);
    this.diskReserve = new DiskReserve(path, clock);
    this.#settings = settings;
    this.#earlyTurns = new EarlyTurns(clock);
    this.#orchestrations = new ParkedFetches(sources.orchestrations(this.#earlyTurns), clock, wake);
    this.#activities = new ParkedFetches(sources.activities, clock, wake);
    this.#begins = new Begins(this);
    this.#wakeUps = new WakeUps({
      db,
      clock,
      checkFile: () => this.#file.checkIfStale(),
      wake,
      pollIntervalMs: path === undefined ? undefined : pollIntervalMs,
      queues: [this.#orchestrations, this.#activities],
      deadHolders: new DeadHolders(holder, processes),
      onCommit: (effects) => this.#tell(effects),
    });
    this.#logSync = new LogSync({
      db,
      disk: settings.disk(path ?? ""),
      clock,
      logger: settings.logger,
      checkpoints: new CheckpointThread(path ?? ""),
      isNeeded: path !== undefined && settings.durability === "power",
    });
    const logSync = this.#logSync;
    const onRound = (ms: number): void => this.#earlyTurns.roundTook(ms);
    const queues = this.#wakeUps;
    this.#writer = new Writer({
      db,
      clock,
      random,
      holder,
      busyTimeoutMs,
      queues,
      file: this.#file,
      onRound,
      logSync,
      lastStatuses: this.lastStatuses,
    });
    this.#reader = new Reader({ db, clock, random, busyTimeoutMs, writer: this.#writer, logSync });
  }

  get clock(): Clock {
    return this.#settings.clock;
  }

  get logger(): Logger {
    return this.#settings.logger;
  }

  write<T>(name: string, operation: WriteOperation<T>): Promise<T> {
    this.refuseWrite(name);
    return this.#writer.run(name, operation);
  }

  read<T>(name: string, query: (db: Database) => T): Promise<T> {
    this.#refuseClosedOrGone(name);
    return this.#reader.read(name, (db) => {
      this.#file.checkIfStale();
      return query(db);
    });
  }

  /** A read about one instance. */
  readFor<T>(name: string, instanceId: string, query: (db: Database, id: string) => T): Promise<T> {
    return this.read(name, (db) => query(db, toInstanceId(name, instanceId)));
  }

  /** Runs the acknowledgement or release of a turn. */
  endTurn<T>(name: string, lockToken: string, operation: WriteOperation<T>): Promise<T> {
    this.#earlyTurns.ended(lockToken);
    return this.write(name, operation);
  }

  async fetchOrchestration(request: FetchOrchestrationOptions): Promise<FetchedOrchestration | undefined> {
    this.refuseWrite("fetchOrchestrationItem");
    this.#logReserve.fetched();
    const fetched = await this.#orchestrations.fetch(request);
    if (fetched !== undefined) this.#earlyTurns.began(fetched);
    return fetched;
  }

  async fetchWork(request: FetchWorkOptions): Promise<FetchedWork | undefined> {
    this.refuseWrite("fetchWorkItem");
    this.#logReserve.fetched();
    const fetched = await this.#activities.fetch(request);
    return fetched?.slots === undefined ? fetched : this.#begins.withBegin(fetched);
  }

  watch(instanceId: string, listener: () => void): () => void {
    return this.#watchers.add(instanceId, listener);
  }

  watchStream(instanceId: string, stream: string, listener: () => void): () => void {
    return this.#streamWatchers.add(streamKey(instanceId, stream), listener);
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** store.S1 */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#writer.drain();
    invariant(!this.#writer.isOpen, "store.S1");
    this.#wakeUps.close();
    this.#file.close();
    await this.#released;
    await this.#logSync.close();
    if (this.#released === undefined) this.#db.close();
  }

  /** store.S3 */
  #releaseFile(realPath: string | undefined): void {
    if (realPath === undefined) return;
    const { modifiedNs } = this.#file;
    this.#released = this.#writer
      .settled()
      .then(() => this.#logSync.close())
      // Loaded at the first use, because few stores ever lose their log.
      .then(() => import("./connection/close-without-log.ts"))
      .then(({ closeWithoutLog }) => closeWithoutLog(this.#db, realPath, modifiedNs));
  }

  /** store.S2 */
  #tell({ warnings, touchedInstances, touchedStreams }: Effects): void {
    const { onWarning } = this.#settings;
    this.#checkpoints.committed();
    this.#logReserve.committed();
    if (this.#logReserve.isWhole) this.diskReserve.keep();
    for (const { message, instanceId } of warnings) onWarning(message, { instanceId });
    this.#watchers.notify(touchedInstances);
    if (touchedStreams !== undefined) this.#streamWatchers.notify(touchedStreams);
  }

  /** Also for a fetch, which writes its lock. */
  refuseWrite(operation: string): void {
    this.#refuseClosedOrGone(operation);
    if (this.#settings.readOnly) this.refuse(operation);
  }

  /** Refuses a write of a store that only reads. */
  refuse(operation: string): never {
    this.#refuseClosedOrGone(operation);
    throw new ProviderError({
      code: "read-only",
      operation,
      message: "the provider was opened with readOnly; open the file without it to change anything",
    });
  }

  #refuseClosedOrGone(operation: string): void {
    if (this.#closing === undefined) {
      if (this.#file.gone !== undefined) throw toProviderError(operation, this.#file.gone);
      return;
    }
    throw new ProviderError({
      code: "closed",
      operation,
      message: "the provider was closed; open it again with SqliteProvider.open",
    });
  }
}
