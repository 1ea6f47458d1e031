/**
 * From a fetched batch to a decision about it (docs/reference/runtime-semantics.md §1.2): run a turn, give the
 * batch back, drain it, or fail its instance. One call handles one batch under the instance's lock.
 */
import type { FetchedOrchestration, OrchestrationAck } from "../contract/provider.ts";
import { HistoryIndex } from "../replay/history-index.ts";
import type { Program } from "../replay/live-execution.ts";
import type { ExecutionMemory } from "../replay/turn.ts";
import { inRange, parseSemver, type VersionRange } from "../wire/version.ts";
import { unregisteredDelayMs } from "./backoff.ts";
import { type Batch, classify } from "./batch.ts";
import { commit } from "./commit.ts";
import { LockRenewal } from "./lock-renewal.ts";
import { observePoison } from "./observed-execution.ts";
import { collisionItems, isFinished, noticeItem } from "./parent-notices.ts";
import type { RuntimeParts } from "./parts.ts";
import { type PoisonedTurn, poisonBatch, poisonUnreadable } from "./poison.ts";
import { runAndCommit } from "./turn-commit.ts";

const INCOMPATIBLE_DELAY_MS = 1_000;
const UNREADABLE_DELAY_MS = 1_000;
const UNEXPECTED_ERROR_DELAY_MS = 1_000;

export class OrchestrationDispatcher {
  readonly #parts: RuntimeParts;
  /** One list for all fetches: a provider may recognise it. */
  readonly #supportedVersions: readonly VersionRange[];

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    this.#supportedVersions = [parts.settings.supportedVersions];
  }

  /** Fetches one batch and handles it; false when there was none. */
  async work(signal: AbortSignal): Promise<boolean> {
    const { settings, cache } = this.#parts;
    const fetched = await settings.provider.fetchOrchestrationItem({
      lockTimeoutMs: settings.orchestratorLockTimeoutMs,
      pollTimeoutMs: settings.longPollTimeoutMs,
      supportedVersions: this.#supportedVersions,
      signal,
      heldHistory: (instanceId) => cache.tagOf(instanceId),
    });
    if (fetched === undefined) return false;
    using _renewal = this.#keepLock(fetched);
    await this.#handleSafely(fetched);
    return true;
  }

  #keepLock({ item, lockToken }: FetchedOrchestration): LockRenewal {
    const { clock, provider, logger, ...settings } = this.#parts.settings;
    return new LockRenewal({
      clock,
      timeoutMs: settings.orchestratorLockTimeoutMs,
      bufferMs: settings.orchestratorLockRenewalBufferMs,
      renew: () => provider.renewOrchestrationItemLock(lockToken, settings.orchestratorLockTimeoutMs),
      until: this.#parts.graceOver,
      onLost: (error) =>
        logger.warn(
          { event: "instance_lock_lost", instance_id: item.instanceId, error },
          "the instance lock is lost; this commit will fail",
        ),
    });
  }

  /** A defect of ours must not take the slot down: the batch is given back, and that counts as an attempt. */
  async #handleSafely(fetched: FetchedOrchestration): Promise<void> {
    try {
      await this.#handle(fetched);
    } catch (error) {
      const { instanceId } = fetched.item;
      this.#parts.settings.logger.error(
        { event: "turn_failed_unexpectedly", instance_id: instanceId, error },
        "a turn failed unexpectedly",
      );
      this.#parts.cache.forget(instanceId);
      await this.#giveBack(fetched, UNEXPECTED_ERROR_DELAY_MS);
    }
  }

  async #handle(fetched: FetchedOrchestration): Promise<void> {
    const { item, attemptCount } = fetched;
    const { cache, settings } = this.#parts;
    const memory = cache.take(item.instanceId);
    const held = item.historyOmitted === true ? memory : undefined;
    if (held === undefined) memory?.live.dispose();
    if (item.historyOmitted === true && held === undefined) return this.#giveBack(fetched, 0, true);

    const index = held?.index ?? HistoryIndex.of(item.history);
    if (!this.#isCompatible(fetched, index)) return this.#giveBack(fetched, INCOMPATIBLE_DELAY_MS);
    if (attemptCount > settings.maxAttempts) return this.#poison(fetched, index);
    if (item.historyError !== undefined) return this.#giveBack(fetched, UNREADABLE_DELAY_MS);

    const batch = classify(item.messages, index);
    if (index.terminal !== undefined && batch.start === undefined) {
      return isFinished(index) ? this.#drain(fetched, batch, index) : this.#awaitHandlerOrStart(fetched);
    }
    await this.#runTurn(fetched, batch, index, held);
  }

  async #runTurn(
    fetched: FetchedOrchestration,
    batch: Batch,
    index: HistoryIndex,
    held: ExecutionMemory | undefined,
  ): Promise<void> {
    if (batch.start === undefined && index.started === undefined) return this.#drain(fetched, batch, index);
    const program = held?.live.program ?? this.#resolve(batch, index);
    if (program === undefined) return this.#awaitHandlerOrStart(fetched);
    const lost = await runAndCommit(this.#parts, { fetched, batch, index, held, program });
    if (lost !== undefined) await this.#giveBack(fetched, lost.delayMs);
  }

  /** A running execution stays with the version that it began with. */
  #resolve({ start }: Batch, { started }: HistoryIndex): Program | undefined {
    const { registry } = this.#parts;
    if (start !== undefined) return registry.resolve(start.orchestration, start.version);
    if (started === undefined) return undefined;
    return registry.resolve(started.name, started.version === NO_VERSION ? null : started.version);
  }

  #isCompatible({ item }: FetchedOrchestration, { started }: HistoryIndex): boolean {
    if (started === undefined) return true;
    const { logger, supportedVersions } = this.#parts.settings;
    const stamp = parseSemver(started.duroxide_version);
    if (stamp !== undefined && inRange(stamp, supportedVersions)) return true;
    const fields = { instance_id: item.instanceId, duroxide_version: started.duroxide_version };
    if (stamp === undefined) {
      logger.warn(
        { event: "version_stamp_invalid", ...fields },
        "the version stamp cannot be read; going on",
      );
      return true;
    }
    logger.warn(
      { event: "orchestration_incompatible", ...fields },
      "the execution was begun by a version that is not supported here",
    );
    return false;
  }

  /** Another node may have what is missing here; the attempts that this costs end in poison. */
  async #awaitHandlerOrStart(fetched: FetchedOrchestration): Promise<void> {
    const { settings } = this.#parts;
    const { item, attemptCount } = fetched;
    const delayMs = unregisteredDelayMs(settings, attemptCount);
    settings.logger.warn(
      {
        event: "orchestration_unregistered",
        instance_id: item.instanceId,
        orchestration_name: item.orchestrationName,
        orchestration_version: item.version,
        attempt_count: attemptCount,
        max_attempts: settings.maxAttempts,
        remaining_attempts: settings.maxAttempts - attemptCount,
        delay_ms: delayMs,
      },
      "no handler for this orchestration and version is registered here, or its next execution is not visible yet",
    );
    await this.#giveBack(fetched, delayMs);
  }

  /** Late messages of a finished instance, and batches of nobody. */
  async #drain({ lockToken, item }: FetchedOrchestration, batch: Batch, index: HistoryIndex): Promise<void> {
    const { provider, clock, logger } = this.#parts.settings;
    logger.debug(
      { event: "late_messages_dropped", instance_id: item.instanceId, messages: item.messages.length },
      "late messages are dropped",
    );
    const ack: OrchestrationAck = {
      lockToken,
      executionId: item.executionId,
      historyDelta: [],
      workerItems: [],
      orchestratorItems: await collisionItems(provider, batch.refusedStarts, index, batch.start),
      metadata: {},
      cancelledActivities: [],
    };
    const committed = await commit(provider, clock, ack);
    if (committed.kind !== "committed") {
      logger.warn(
        { event: "late_messages_not_dropped", instance_id: item.instanceId, error: committed.error },
        "late messages could not be dropped",
      );
    }
  }

  async #poison(fetched: FetchedOrchestration, index: HistoryIndex): Promise<void> {
    const { settings } = this.#parts;
    const { provider, clock, logger, maxAttempts } = settings;
    const { historyError, messages, instanceId } = fetched.item;
    const batch = classify(messages, index);
    const poisoned =
      historyError === undefined
        ? poisonBatch(fetched, batch, index, maxAttempts, clock)
        : poisonUnreadable(fetched, historyError, maxAttempts, clock);
    logger.warn(
      {
        event: "orchestration_poisoned",
        instance_id: instanceId,
        attempt_count: fetched.attemptCount,
        max_attempts: maxAttempts,
      },
      "poisoned: the instance is failed",
    );
    const ack = { ...poisoned.ack, orchestratorItems: await this.#poisonNotices(batch, index, poisoned) };
    const committed = await commit(provider, clock, ack);
    if (committed.kind === "committed") {
      observePoison(settings.observer, fetched, index, { ...poisoned, ack });
    } else {
      logger.error(
        { event: "poison_not_committed", instance_id: instanceId, error: committed.error },
        "poison failed",
      );
    }
  }

  async #poisonNotices(
    { refusedStarts, start }: Batch,
    index: HistoryIndex,
    { parent, details }: PoisonedTurn,
  ): Promise<OrchestrationAck["orchestratorItems"]> {
    const { provider } = this.#parts.settings;
    const collisions = await collisionItems(provider, refusedStarts, index, start);
    return parent === undefined
      ? collisions
      : [await noticeItem(provider, parent, { details }), ...collisions];
  }

  /** Where even that fails, the lock expires by itself. */
  async #giveBack(
    { lockToken, item }: FetchedOrchestration,
    delayMs: number,
    ignoreAttempt = false,
  ): Promise<void> {
    const { provider, logger } = this.#parts.settings;
    try {
      await provider.abandonOrchestrationItem(lockToken, { delayMs, ignoreAttempt });
    } catch (error) {
      logger.debug(
        { event: "batch_not_given_back", instance_id: item.instanceId, error },
        "giving a batch back failed; its lock will expire",
      );
    }
  }
}

/** Written by runtimes that had no versions. */
const NO_VERSION = "0.0.0";
