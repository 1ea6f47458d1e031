/**
 * Fetches a batch and decides what to do with it (docs/reference/runtime-semantics.md §1.2,
 * docs/decisions/attempts-and-blocked-work.md): runs a turn, gives the batch back, drains it, or fails its instance.
 *
 * - orchestration-dispatcher.O1: A fetched batch ends in one of two ways: a commit consumes its messages, or it is
 *   given back. What fails on the way gives it back. If that fails too, its lock expires.
 * - orchestration-dispatcher.O2: A delivery counts as an attempt if the instance may be the cause: an unexpected error,
 *   an unreadable history, a turn that took longer than its lock. No handler, an incompatible version, code that does
 *   not match and a failing store do not count: otherwise an outage would poison instances.
 * - orchestration-dispatcher.O3: Each check makes the next one possible: a history of an incompatible version is not
 *   read, an unreadable one not classified, an ended instance needs no handler, and a missing handler is noticed before
 *   the attempt limit.
 * - orchestration-dispatcher.O4: Memory that was taken from the cache is run or disposed. It is run only if the store
 *   has left out the history, which it does only if no other process has written one since.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import type {
  FetchedOrchestration,
  FetchOrchestrationOptions,
  OrchestrationAck,
} from "../../contract/provider.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { Program } from "../../replay/code/program.ts";
import { HistoryIndex } from "../../replay/history/history-index.ts";
import type { ExecutionMemory } from "../../replay/turn-result.ts";
import { isSchedule, SCHEDULE_PIN } from "../../wire/scheduled.ts";
import { NO_VERSION, SUPPORTED_VERSIONS } from "../../wire/version.ts";
import { type GiveBack, giveBack } from "../locks/give-back.ts";
import type { HeldLock } from "../locks/held-locks.ts";
import { isNearlyOver } from "../locks/lock-renewal.ts";
import { type Batch, classify } from "../messages/batch.ts";
import { logIgnoredStarts } from "../messages/ignored-starts.ts";
import { collisionItems, isFinished } from "../messages/parent-notices.ts";
import { unregisteredDelayMs } from "../trouble/backoff.ts";
import { isCompatible } from "../trouble/compatible.ts";
import { attemptsBefore, lockForMs } from "../trouble/lone-runs.ts";
import { sentNames } from "../trouble/lost-events.ts";
import { absentProgram, cancelRequested, missingHandler } from "../trouble/missing-handler.ts";
import { poisonBatch, poisonNotices, poisonUnreadable } from "../trouble/poison.ts";
import { unseenStart } from "../trouble/unseen-start.ts";
import { commit } from "./commit.ts";
import type { FusedTurns } from "./fused-turns.ts";
import { observePoison } from "./observed-execution.ts";
import type { RuntimeParts } from "./parts.ts";
import { withoutBegun } from "./queue-limits.ts";
import { runAndCommit } from "./turn-commit.ts";
import type { TurnToRun } from "./turn-to-run.ts";
import { blockUsedUp, isUsedUp } from "./used-up.ts";

/** The same array for all fetches, so that a provider may cache what it derives from it. */
const SUPPORTED = [SUPPORTED_VERSIONS, { min: SCHEDULE_PIN, max: SCHEDULE_PIN }];

const INCOMPATIBLE_DELAY_MS = 1_000;
const UNREADABLE_DELAY_MS = 1_000;
const UNEXPECTED_ERROR_DELAY_MS = 1_000;
/** Instances whose last defect is remembered for the text of their poison. */
const MOST_DEFECTS = 1_000;

export class OrchestrationDispatcher {
  readonly #parts: RuntimeParts;
  readonly #fused: FusedTurns | undefined;
  /** Limits fetches to registered code. Empty where a missing handler fails the instance, which then is fetched. */
  readonly #code: Pick<FetchOrchestrationOptions, "orchestrations" | "versions">;
  /** The last unexpected error, by instance. */
  readonly #defects = new BoundedMap<string, string>(MOST_DEFECTS);

  /** `fused` is notified of turns that begin and end. */
  constructor(parts: RuntimeParts, fused: FusedTurns | undefined) {
    this.#parts = parts;
    this.#fused = fused;
    this.#code = parts.settings.onMissingHandler === "fail" ? {} : parts.registry.code;
  }

  /** Fetches one batch and handles it; false when there was none. The fetch waits for so many ms. */
  async work(waitMs: number): Promise<boolean> {
    const { settings, cache, health, loneRuns, schedules, inHand } = this.#parts;
    const signal = loneRuns.fetchSignal;
    const found = await settings.provider.fetchOrchestrationItem({
      lockTimeoutMs: settings.orchestratorLockTimeoutMs,
      pollTimeoutMs: health.pollTimeoutMs("orchestrations", waitMs),
      supportedVersions: SUPPORTED,
      ...this.#code,
      signal,
      heldHistory: (instanceId) => cache.tagOf(instanceId) ?? schedules.tagOf(instanceId),
    });
    const fetched = schedules.recall(found);
    // An aborted fetch is no evidence that the store works.
    if (fetched !== undefined || !signal.aborted) health.succeeded("orchestrations");
    else health.release("orchestrations");
    if (fetched === undefined) return false;
    inHand.begin();
    const held = this.#keepLock(fetched);
    const { turnSlots } = this.#parts;
    const free = turnSlots.enter();
    if (free !== undefined) await free;
    try {
      await this.#handleSafely(fetched);
    } finally {
      turnSlots.leave();
      held[Symbol.dispose]();
      inHand.end();
    }
    return true;
  }

  /** A lost lock does not end the turn: the store checks the lock at the commit. */
  #keepLock({ item, lockToken, lockedUntilMs }: FetchedOrchestration): HeldLock {
    const { clock, provider, logger, orchestratorLockTimeoutMs } = this.#parts.settings;
    return this.#parts.locks.keep({
      clock,
      timeoutMs: orchestratorLockTimeoutMs,
      lockedUntilMs,
      renew: () => provider.renewOrchestrationItemLock(lockToken, orchestratorLockTimeoutMs),
      until: this.#parts.graceOver,
      onLost: (why, error) =>
        logger.debug(
          { event: "instance_lock_lost", instance_id: item.instanceId, why, error },
          "the lock of an instance could not be renewed",
        ),
    });
  }

  /** An unexpected error must not end the slot: it gives the batch back, which counts as an attempt. */
  async #handleSafely(fetched: FetchedOrchestration): Promise<void> {
    try {
      await this.#handle(fetched);
    } catch (error) {
      const { instanceId } = fetched.item;
      if (isOfStore(error)) return this.#storeFailed(fetched, error, true);
      this.#parts.settings.logger.error(
        { event: "turn_failed_unexpectedly", instance_id: instanceId, error },
        "a turn failed unexpectedly",
      );
      this.#noteDefect(instanceId, error);
      this.#parts.cache.forget(instanceId);
      await this.#giveBack(fetched, { delayMs: UNEXPECTED_ERROR_DELAY_MS });
    }
  }

  /**
   * Gives the batch back after a failure of the store, such as of a read that the turn needs. It does not count against
   * the instance.
   */
  async #storeFailed(
    fetched: FetchedOrchestration,
    error: ProviderError,
    ignoreAttempt: boolean,
  ): Promise<void> {
    this.#parts.cache.forget(fetched.item.instanceId);
    // The store delivers the batch again by itself.
    if (error.code === "lock-lost") return;
    this.#parts.health.failed("commits", error);
    await this.#giveBack(fetched, { delayMs: UNEXPECTED_ERROR_DELAY_MS, ignoreAttempt });
  }

  async #handle(fetched: FetchedOrchestration): Promise<void> {
    const { item, attemptCount, lockedUntilMs } = fetched;
    const { cache, settings } = this.#parts;
    if (isNearlyOver(settings.clock, lockedUntilMs, settings.orchestratorLockTimeoutMs)) {
      return this.#giveBack(fetched, { ignoreAttempt: true });
    }
    const lockMs = lockForMs(settings.orchestratorLockTimeoutMs, fetched);
    if (lockMs > settings.orchestratorLockTimeoutMs) {
      await settings.provider.renewOrchestrationItemLock(fetched.lockToken, lockMs);
    }
    const memory = cache.take(item.instanceId);
    // orchestration-dispatcher.O4. The memory may have been evicted between the fetch and now; then the next fetch
    // brings the history.
    const held = item.historyOmitted === true ? memory : undefined;
    if (held === undefined) memory?.live.dispose();
    if (item.historyOmitted === true && held === undefined) {
      return this.#giveBack(fetched, { ignoreAttempt: true });
    }
    const index = held?.index ?? HistoryIndex.of(item.history);
    this.#parts.stamps.saw(item, index);
    if (!isCompatible(this.#parts, fetched, index)) {
      return this.#giveBack(fetched, { delayMs: INCOMPATIBLE_DELAY_MS, ignoreAttempt: true });
    }
    const exhausted = attemptCount > settings.maxAttempts;
    if (item.historyError !== undefined) {
      return exhausted
        ? this.#poison(fetched, index)
        : this.#giveBack(fetched, { delayMs: UNREADABLE_DELAY_MS });
    }
    const batch = await withoutBegun(settings.provider, item, classify(item.messages, index), index);
    if (index.terminal !== undefined && batch.start === undefined) {
      if (isFinished(index)) return this.#drain(fetched, batch, index);
      return exhausted
        ? this.#poison(fetched, index)
        : this.#giveBack(fetched, unseenStart(settings, fetched));
    }
    await this.#prepareTurn(fetched, batch, index, held);
  }

  /** Finds the code and decides how the turn runs: in its order, alone because it is above the limit, or not at all. */
  async #prepareTurn(
    fetched: FetchedOrchestration,
    batch: Batch,
    index: HistoryIndex,
    held: ExecutionMemory | undefined,
  ): Promise<void> {
    if (batch.start === undefined && index.started === undefined) return this.#drain(fetched, batch, index);
    // Of an execution that continued as new, the cache holds the key-values but not the code.
    const goesOn = batch.start === undefined ? held : undefined;
    const program = goesOn?.live.identity.program ?? this.#resolve(batch, index);
    if (program === undefined) return this.#noHandler(fetched, batch, index);
    const turn = {
      fetched: held === undefined || goesOn !== undefined ? fetched : withKeyValues(fetched, held),
      batch,
      index,
      held: goesOn,
      program,
    };
    if (fetched.attemptCount > this.#parts.settings.maxAttempts) return this.#aboveLimit(turn);
    const { instanceId } = fetched.item;
    // Outcomes that arrive meanwhile wait for the end of the turn (fused-turns.F3). A lone run needs no such notice
    // (fused-turns.F5).
    this.#fused?.turnBegan(instanceId);
    try {
      await this.#runTurn(turn);
    } finally {
      this.#fused?.turnEnded(instanceId);
    }
  }

  async #runTurn(turn: TurnToRun): Promise<void> {
    const options = await runAndCommit(this.#parts, turn);
    if (options !== undefined) await this.#giveBack(turn.fetched, options);
  }

  /** Only lone turns that end with their process show that the instance is the cause. */
  async #aboveLimit(turn: TurnToRun): Promise<void> {
    const { settings, loneRuns } = this.#parts;
    const { fetched, batch, index } = turn;
    const { provider, orchestratorLockTimeoutMs } = settings;
    if (isUsedUp(fetched, settings.clock.now())) {
      turn.held?.live.dispose();
      if (cancelRequested(batch, index)) return this.#cancelOnly(fetched, batch, index);
      const lastError = this.#defects.get(fetched.item.instanceId);
      return this.#giveBack(fetched, blockUsedUp(this.#parts, fetched, lastError));
    }
    const { lockToken } = fetched;
    const lockMs = lockForMs(orchestratorLockTimeoutMs, fetched);
    // Waiting for a lone run does not count as an attempt; the store counts lone runs separately. 1 ms extends no lock.
    await provider.renewOrchestrationItemLock(lockToken, 1, { ignoreAttempt: true });
    try {
      const ran = await loneRuns.run(async () => {
        await provider.renewOrchestrationItemLock(lockToken, lockMs, { alone: true });
        await this.#runTurn(turn);
        return true;
      });
      if (ran === undefined) await this.#giveBack(fetched, {});
    } catch (error) {
      if (!isOfStore(error)) throw error;
      // The delivery was taken off the count already.
      await this.#storeFailed(fetched, error, false);
    }
  }

  /** A running execution keeps the version that it began with. */
  #resolve({ start }: Batch, { started }: HistoryIndex): Program | undefined {
    const { registry } = this.#parts;
    if (start !== undefined) return registry.resolve(start.orchestration, start.version);
    if (started === undefined) return undefined;
    return registry.resolve(started.name, started.version === NO_VERSION ? null : started.version);
  }

  /** Blocks the instance: another process, or a later deployment, may have the handler. A cancellation needs none. */
  async #noHandler(fetched: FetchedOrchestration, batch: Batch, index: HistoryIndex): Promise<void> {
    const { settings, registry, blockedLog } = this.#parts;
    if (isSchedule(fetched.item)) return this.#runSchedule(fetched, batch, index);
    if (cancelRequested(batch, index)) return this.#cancelOnly(fetched, batch, index);
    const { detail, fields } = missingHandler(fetched, batch, index, registry);
    const fails = settings.onMissingHandler === "fail";
    if (fails && fetched.attemptCount > settings.maxAttempts) return this.#poison(fetched, index, detail);
    const attempts = fails ? fetched.attemptCount : (fetched.blocked?.attempts ?? 0) + 1;
    const delayMs = unregisteredDelayMs(attempts);
    blockedLog.tell(fetched.item.instanceId, attempts, detail, {
      event: "orchestration_unregistered",
      ...fields,
      delay_ms: delayMs,
    });
    if (fails) return this.#giveBack(fetched, { delayMs });
    const blocked = { reason: "missing-orchestration", detail } as const;
    await this.#giveBack(fetched, { delayMs, ignoreAttempt: true, blocked });
  }

  /** Loaded where there are schedules. */
  async #runSchedule(fetched: FetchedOrchestration, batch: Batch, index: HistoryIndex): Promise<void> {
    const { runSchedule } = await import("./run-schedule.ts");
    const options = await runSchedule(this.#parts, fetched, batch, index);
    if (options !== undefined) await this.#giveBack(fetched, options);
  }

  /** Ends the execution without running its code. */
  #cancelOnly(fetched: FetchedOrchestration, batch: Batch, index: HistoryIndex): Promise<void> {
    return this.#runTurn({ fetched, batch, index, held: undefined, program: absentProgram(batch, index) });
  }

  /** Discards late messages of an instance that has ended, and messages without an instance. */
  async #drain({ lockToken, item }: FetchedOrchestration, batch: Batch, index: HistoryIndex): Promise<void> {
    const { provider, clock, logger } = this.#parts.settings;
    logger.debug(
      { event: "late_messages_dropped", instance_id: item.instanceId, messages: item.messages.length },
      "late messages are discarded",
    );
    logIgnoredStarts(this.#parts.settings, batch, index);
    const ack: OrchestrationAck = {
      lockToken,
      executionId: item.executionId,
      historyDelta: [],
      workerItems: [],
      orchestratorItems: await collisionItems(provider, batch.refusedStarts, index, batch.start),
      metadata: {},
      cancelledActivities: [],
    };
    const committed = await commit(provider, clock, this.#parts.health, ack);
    if (committed.kind !== "committed") {
      logger.warn(
        { event: "late_messages_not_dropped", instance_id: item.instanceId, error: committed.error },
        "late messages could not be discarded",
      );
      return;
    }
    const reason = index.terminal === undefined ? "no such instance" : "instance has ended";
    this.#parts.lostEvents.add(item.instanceId, sentNames(item.messages), reason);
  }

  /** Fails the instance under its lock. If the commit fails, the next delivery does the same. */
  async #poison(fetched: FetchedOrchestration, index: HistoryIndex, lastError?: string): Promise<void> {
    const { settings } = this.#parts;
    const { provider, clock, random, logger, maxAttempts } = settings;
    const { historyError, messages, instanceId } = fetched.item;
    const batch = classify(messages, index);
    const poisoned =
      historyError === undefined
        ? poisonBatch(fetched, batch, index, { maxAttempts, clock, random, lastError })
        : poisonUnreadable(fetched, historyError, maxAttempts, clock);
    logger.warn(
      {
        event: "orchestration_poisoned",
        instance_id: instanceId,
        attempt_count: attemptsBefore(fetched),
        max_attempts: maxAttempts,
        last_error: lastError ?? historyError,
      },
      "poison message: instance failed",
    );
    const orchestratorItems = await poisonNotices(provider, instanceId, batch, index, poisoned);
    const ack = { ...poisoned.ack, orchestratorItems };
    const committed = await commit(provider, clock, this.#parts.health, ack);
    if (committed.kind === "committed") {
      observePoison(this.#parts, fetched, index, { ...poisoned, ack });
    } else {
      logger.error(
        { event: "poison_not_committed", instance_id: instanceId, error: committed.error },
        "could not fail the poisoned instance",
      );
    }
  }

  /** The store counts attempts but does not keep their errors, so the text of a poison comes from this process. */
  #noteDefect(instanceId: string, error: unknown): void {
    this.#defects.set(instanceId, error instanceof Error ? error.message : "an unexpected error");
  }

  #giveBack({ item, lockToken }: FetchedOrchestration, options: GiveBack): Promise<void> {
    const { provider, logger } = this.#parts.settings;
    const fields = { event: "batch_not_given_back", instance_id: item.instanceId };
    const given = provider.abandonOrchestrationItem(lockToken, options);
    return giveBack(given, logger, fields, "giving a batch back failed; its lock will expire");
  }
}

/** A history that cannot be decoded is a fault of its instance. */
function isOfStore(error: unknown): error is ProviderError {
  return ProviderError.is(error) && error.code !== "corrupt-data";
}

/** Adds the key-values, which the store left out together with the history. */
function withKeyValues(fetched: FetchedOrchestration, { live }: ExecutionMemory): FetchedOrchestration {
  return { ...fetched, item: { ...fetched.item, kvSnapshot: live.kv.entries() } };
}
