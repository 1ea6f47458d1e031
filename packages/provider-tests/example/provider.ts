/**
 * A complete provider in memory, to read and to copy from. Every method begins one operation at one instant and
 * hands it to the file that carries it out; these cite docs/reference/provider-contract.md as §n. Fetches return at
 * once: this is a short-polling provider.
 */
import {
  type AbandonOptions,
  type AckedOrchestration,
  type ActivityExecute,
  type ActivityOutcome,
  type Clock,
  type CustomStatus,
  type EnqueueOptions,
  type FetchedOrchestration,
  type FetchedWork,
  type FetchOrchestrationOptions,
  type FetchWorkOptions,
  type HistoryEvent,
  type InstanceStats,
  type InstanceStatus,
  type OrchestrationAck,
  type OrchestratorItem,
  type Provider,
  type ProviderAdmin,
  ProviderError,
  type Random,
  type RenewSessionsOptions,
  systemClock,
  systemRandom,
} from "@duroxide-ts/core";
import { exampleAdmin } from "./admin/admin.ts";
import { ackOrchestrationItem } from "./operations/ack-orchestration-item.ts";
import { enqueueForOrchestrator, enqueueForWorker } from "./operations/enqueue.ts";
import { fetchOrchestrationItem } from "./operations/fetch-orchestration-item.ts";
import { fetchWorkItem } from "./operations/fetch-work-item.ts";
import { appendHistory, readHistory } from "./operations/history.ts";
import { getCustomStatus, getInstanceStats, getInstanceStatus } from "./operations/instance-reads.ts";
import { getKvAllValues } from "./operations/key-values.ts";
import { cleanupOrphanedSessions, renewSessionLocks } from "./operations/sessions.ts";
import { abandonOrchestrationItem, renewOrchestrationItemLock } from "./operations/turn-lock.ts";
import { abandonWorkItem, ackWorkItem, renewWorkItemLock } from "./operations/work-lock.ts";
import { emptyTables, type Moment, type Tables } from "./tables.ts";

export interface ExampleOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Shared by several providers, as several processes share a database. */
  readonly tables?: Tables;
}

export class ExampleProvider implements Provider {
  readonly name = "example";
  readonly version = "1.0.0";
  readonly admin: ProviderAdmin;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #tables: Tables;
  #isClosed = false;

  constructor({ clock = systemClock, random = systemRandom, tables = emptyTables() }: ExampleOptions = {}) {
    this.#clock = clock;
    this.#random = random;
    this.#tables = tables;
    this.admin = exampleAdmin((operation) => this.#at(operation));
  }

  async fetchOrchestrationItem(
    options: FetchOrchestrationOptions,
  ): Promise<FetchedOrchestration | undefined> {
    return fetchOrchestrationItem(this.#at("fetchOrchestrationItem"), options);
  }

  async ackOrchestrationItem(ack: OrchestrationAck): Promise<AckedOrchestration> {
    return ackOrchestrationItem(this.#at("ackOrchestrationItem"), ack);
  }

  async abandonOrchestrationItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    abandonOrchestrationItem(this.#at("abandonOrchestrationItem"), lockToken, options);
  }

  async renewOrchestrationItemLock(lockToken: string, extendMs: number): Promise<void> {
    renewOrchestrationItemLock(this.#at("renewOrchestrationItemLock"), lockToken, extendMs);
  }

  async readHistory(instanceId: string, executionId?: number): Promise<readonly HistoryEvent[]> {
    return readHistory(this.#at("readHistory"), instanceId, executionId);
  }

  async appendHistory(
    instanceId: string,
    executionId: number,
    events: readonly HistoryEvent[],
  ): Promise<void> {
    appendHistory(this.#at("appendHistory"), instanceId, executionId, events);
  }

  async enqueueForWorker(item: ActivityExecute): Promise<void> {
    enqueueForWorker(this.#at("enqueueForWorker"), item);
  }

  async enqueueForOrchestrator(item: OrchestratorItem, delayMs = 0, options?: EnqueueOptions): Promise<void> {
    enqueueForOrchestrator(this.#at("enqueueForOrchestrator"), item, delayMs, options);
  }

  async fetchWorkItem(options: FetchWorkOptions): Promise<FetchedWork | undefined> {
    return fetchWorkItem(this.#at("fetchWorkItem"), options);
  }

  async ackWorkItem(lockToken: string, outcome?: ActivityOutcome): Promise<void> {
    ackWorkItem(this.#at("ackWorkItem"), lockToken, outcome);
  }

  async renewWorkItemLock(lockToken: string, extendMs: number): Promise<void> {
    renewWorkItemLock(this.#at("renewWorkItemLock"), lockToken, extendMs);
  }

  async abandonWorkItem(lockToken: string, options?: AbandonOptions): Promise<void> {
    abandonWorkItem(this.#at("abandonWorkItem"), lockToken, options);
  }

  async renewSessionLocks(options: RenewSessionsOptions): Promise<number> {
    return renewSessionLocks(this.#at("renewSessionLocks"), options);
  }

  async cleanupOrphanedSessions(_idleTimeoutMs: number): Promise<number> {
    return cleanupOrphanedSessions(this.#at("cleanupOrphanedSessions"));
  }

  async getInstanceStatus(instanceId: string): Promise<InstanceStatus | undefined> {
    return getInstanceStatus(this.#at("getInstanceStatus"), instanceId);
  }

  async getCustomStatus(instanceId: string, lastSeenVersion: number): Promise<CustomStatus | undefined> {
    return getCustomStatus(this.#at("getCustomStatus"), instanceId, lastSeenVersion);
  }

  async getKvValue(instanceId: string, key: string): Promise<string | undefined> {
    return getKvAllValues(this.#at("getKvValue"), instanceId).get(key);
  }

  async getKvAllValues(instanceId: string): Promise<ReadonlyMap<string, string>> {
    return getKvAllValues(this.#at("getKvAllValues"), instanceId);
  }

  async getInstanceStats(instanceId: string): Promise<InstanceStats | undefined> {
    return getInstanceStats(this.#at("getInstanceStats"), instanceId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
  }

  #at(operation: string): Moment {
    if (!this.#isClosed) return { tables: this.#tables, nowMs: this.#clock.now(), random: this.#random };
    throw new ProviderError({
      code: "closed",
      operation,
      message: "the provider is closed; open another one",
    });
  }
}
