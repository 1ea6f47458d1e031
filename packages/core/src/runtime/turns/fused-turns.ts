/**
 * Turns that are committed together with the activities whose outcomes cause them (docs/decisions/activities.md).
 *
 * - fused-turns.F1: A fused turn runs in memory before anything is written, and takes no lock of its instance. Only the
 *   condition of the commit, that the instance still has the history tag of the memory, keeps concurrent turns apart.
 * - fused-turns.F2: Any obstacle leads to the ordinary path: the memory is disposed, and each outcome is stored as a
 *   message. A fused turn therefore reports only its success; an ordinary turn finds and reports every fault.
 * - fused-turns.F3: One turn of an instance runs at a time in this process. Outcomes that arrive meanwhile wait for its
 *   end and join the next turn. Their locks are renewed while they wait.
 * - fused-turns.F4: Outcomes of one round of the event loop join one turn, as they do where a store commits them
 *   together.
 * - fused-turns.F5: No outcome waits for a fused turn while lone work waits or runs: that work waits for all other work
 *   to end.
 * - fused-turns.F6: A refusal costs the memory of the execution, and thus a read and a replay of its history. An
 *   instance that often receives messages from other processes therefore takes the ordinary path more and more often.
 */

import { BoundedMap } from "../../collections/bounded-map.ts";
import { ChurningMap } from "../../collections/churning-map.ts";
import type { KvEntry } from "../../contract/provider.ts";
import { invariant } from "../../errors/invariant.ts";
import { setImmediate } from "../../host/originals.ts";
import type { ObservedActivity } from "../../observe/observed-activity.ts";
import type { ActivityOutcome } from "../../wire/work-item.ts";
import type { ActivityLock } from "../locks/activity-lock.ts";
import type { RunningActivity } from "../running/running-activities.ts";
import { storesStreams } from "./commit.ts";
import type { CachedExecution } from "./execution-cache.ts";
import type { RuntimeParts } from "./parts.ts";
import { contentOf, logDiscarded, runInMemory, settleTurn } from "./turn-run.ts";
import type { RunnableTurn } from "./turn-to-run.ts";

/** An activity whose handler has ended. */
export interface FinishedActivity {
  readonly outcome: ActivityOutcome;
  readonly lock: ActivityLock;
  readonly run: RunningActivity;
  readonly observed: ObservedActivity;
}

/** A finished activity that waits for a fused turn. */
interface Waiting extends FinishedActivity {
  /** Called with whether the fused turn stored and reported the outcome. */
  readonly resolve: (stored: boolean) => void;
}

/** After a refusal, `left` outcomes take the ordinary path; `next` is their number after the next refusal. */
interface Pause {
  left: number;
  readonly next: number;
}

/** The longest pause: outcomes that take the ordinary path before the next fused turn. */
const LONGEST_PAUSE = 32;
/** Instances whose refusals are remembered. */
const MOST_PAUSES = 1_000;

/** The turns and the waiting outcomes of one instance in this process. */
interface PendingOutcomes {
  /** Turns that run now. */
  turns: number;
  readonly waiting: Waiting[];
}

export interface FusedTurnsOptions {
  readonly parts: RuntimeParts;
  /** No turn begins once it aborts. */
  readonly stopping: AbortSignal;
}

const NO_KV: ReadonlyMap<string, KvEntry> = new Map();

export class FusedTurns {
  readonly #parts: RuntimeParts;
  readonly #stopping: AbortSignal;
  /** The most outcomes in one commit. */
  readonly #most: number;
  /** Instances with a turn of this process, or with outcomes that wait for one. */
  readonly #instances = new ChurningMap<string, PendingOutcomes>();
  /** Instances whose last fused commit was refused (fused-turns.F6). */
  readonly #pauses = new BoundedMap<string, Pause>(MOST_PAUSES);
  /** Instances whose first outcomes arrived in this round of the event loop (fused-turns.F4). */
  #thisRound: string[] = [];

  constructor({ parts, stopping }: FusedTurnsOptions) {
    this.#parts = parts;
    this.#stopping = stopping;
    this.#most = parts.settings.provider.maxFusedActivities;
  }

  /** A turn of the instance begins. */
  turnBegan(instanceId: string): void {
    this.#pendingOf(instanceId).turns++;
  }

  /** It has ended. */
  turnEnded(instanceId: string): void {
    const pending = this.#instances.get(instanceId);
    if (pending === undefined || --pending.turns > 0) return;
    if (pending.waiting.length === 0) this.#instances.delete(instanceId);
    else void this.#runNext(instanceId, pending);
  }

  /** Resolves to whether the outcome was stored and reported with the turn that it causes; if not, nothing changed. */
  offer(finished: FinishedActivity): Promise<boolean> | false {
    const { instance } = finished.outcome;
    const { cache, loneRuns } = this.#parts;
    if (loneRuns.closed || this.#isPaused(instance)) return false;
    if (!this.#instances.has(instance)) {
      if (!cache.isRunning(instance)) return false;
      if (this.#thisRound.push(instance) === 1) setImmediate(this.#roundEnded);
    }
    const { waiting } = this.#pendingOf(instance);
    return new Promise((resolve) => waiting.push({ ...finished, resolve }));
  }

  #isPaused(instanceId: string): boolean {
    if (this.#pauses.size === 0) return false;
    const pause = this.#pauses.get(instanceId);
    if (pause === undefined || pause.left === 0) return false;
    pause.left--;
    return true;
  }

  #pause(instanceId: string): void {
    const left = this.#pauses.get(instanceId)?.next ?? 1;
    this.#pauses.set(instanceId, { left, next: Math.min(2 * left, LONGEST_PAUSE) });
  }

  readonly #roundEnded = (): void => {
    const instances = this.#thisRound;
    this.#thisRound = [];
    for (const instanceId of instances) {
      const pending = this.#instances.get(instanceId);
      if (pending?.turns === 0) void this.#runNext(instanceId, pending);
    }
  };

  #pendingOf(instanceId: string): PendingOutcomes {
    const known = this.#instances.get(instanceId);
    if (known !== undefined) return known;
    const pending = { turns: 0, waiting: [] };
    this.#instances.set(instanceId, pending);
    return pending;
  }

  async #runNext(instanceId: string, pending: PendingOutcomes): Promise<void> {
    pending.turns++;
    const chosen = pending.waiting.splice(0, this.#most);
    const outcomes = chosen.filter(canBeFused);
    const stored = await this.#runSafely(instanceId, outcomes);
    for (const each of chosen) each.resolve(stored && outcomes.includes(each));
    this.turnEnded(instanceId);
  }

  /** Never rejects (fused-turns.F2). */
  async #runSafely(instanceId: string, outcomes: readonly Waiting[]): Promise<boolean> {
    const { cache, health, loneRuns, strayExecutions, turnSlots } = this.#parts;
    if (outcomes.length === 0 || this.#stopping.aborted || loneRuns.closed || !health.good) return false;
    if (strayExecutions.has(instanceId) || !cache.isRunning(instanceId) || !turnSlots.tryEnter())
      return false;
    try {
      const held = cache.takeWithTag(instanceId);
      return held !== undefined && (await this.#run(instanceId, held, outcomes));
    } finally {
      turnSlots.leave();
    }
  }

  async #run(instanceId: string, held: CachedExecution, outcomes: readonly Waiting[]): Promise<boolean> {
    const { settings, health } = this.#parts;
    const { memory } = held;
    let stored = false;
    try {
      invariant(this.#instances.get(instanceId)?.turns === 1, "fused-turns.F3");
      const turn = turnOf(instanceId, held, outcomes);
      if (!outcomes.every(({ outcome }) => Number(outcome.execution_id) === turn.fetched.item.executionId))
        return false;
      const ran = await runInMemory(this.#parts, turn, { blocks: true, violation: undefined });
      if (ran.result.end.kind === "blocked") return false;
      const content = await contentOf(this.#parts, turn, ran, []);
      if (!storesStreams(settings.provider, content)) return false;
      const activityTokens = outcomes.map(({ lock }) => lock.token);
      const acked = await settings.provider.ackFusedTurn({
        ...content,
        instanceId,
        historyTag: held.historyTag,
        activityTokens,
      });
      if (acked.kind === "overtaken") {
        this.#pause(instanceId);
        return false;
      }
      stored = true;
      if (this.#pauses.size > 0) this.#pauses.delete(instanceId);
      health.succeeded("commits");
      for (const { observed, outcome } of outcomes) observed.settled(outcome);
      logDiscarded(this.#parts, instanceId, ran.result);
      settleTurn(this.#parts, turn, ran, content, acked.historyTag);
      return true;
    } catch (error) {
      settings.logger.debug(
        { event: "turn_not_fused", instance_id: instanceId, error },
        "a turn was not committed together with its activities; their outcomes are stored first",
      );
      return stored;
    } finally {
      if (!stored) memory.live.dispose();
    }
  }
}

/** Other outcomes take the ordinary path, which handles lost locks and cancellations. */
function canBeFused({ lock, run }: FinishedActivity): boolean {
  return lock.holds && !run.cancellation.requested && !run.abandoned;
}

function turnOf(
  instanceId: string,
  { memory }: CachedExecution,
  outcomes: readonly FinishedActivity[],
): RunnableTurn {
  const { executionId, program } = memory.live.identity;
  const messages = outcomes.map(({ outcome }) => outcome);
  const item = {
    instanceId,
    orchestrationName: program.name,
    version: program.version,
    executionId,
    history: [],
    messages,
    kvSnapshot: NO_KV,
    historyOmitted: true,
  };
  const batch = { start: undefined, refusedStarts: [], messages };
  return { fetched: { item }, batch, index: memory.index, held: memory, program };
}
