/**
 * The next steps of a schedule: a pure function of what is stored, the time, and the outcomes of its runs
 * (docs/decisions/schedules.md).
 *
 * - schedule-turn.S1: Due times are decided in their order, each once: `decidedMs` only grows.
 * - schedule-turn.S2: What is decided is stored by the commit that sends the starts, so that a due time has one start.
 */
import type { NextTime } from "../define/cron.ts";
import { durationMs } from "../define/duration.ts";
import { checkRootId } from "../define/instance-id.ts";
import { storedBytes } from "../define/limits.ts";
import { thrownMessage } from "../errors/thrown-value.ts";
import { dueTimes, jitterOf, lastDueTime, runIdOf } from "./due-times.ts";
import type { OpenRun, Period, ScheduleChange, StoredDefinition, StoredSchedule } from "./stored-schedule.ts";

/** A run to be started. */
export interface RunStart {
  readonly id: string;
  readonly dueMs: number;
  readonly input: string;
  readonly tells: boolean;
  /** Time at which it was to begin; absent for one by hand. */
  readonly fireMs?: number;
}

/** How a run has ended; `gone` if it was deleted. */
export type RunOutcome = "completed" | "failed" | "gone";

type Draft = { -readonly [K in keyof StoredSchedule]: StoredSchedule[K] };

/** A due time that is found so much later is not missed, ms. */
const LATE_MS = 5_000;
const MOST_QUEUED = 10;
/** Starts, and due times that are decided, in one commit. */
const MOST_STARTS = 50;
const MOST_DECISIONS = 1_000;
const MOST_CHANGES = 20;
const MOST_RUNNING = 100;
/** Time to the next look at runs whose end is not told, ms. */
const LOOK_AGAIN_MS = 5_000;
/** The same where each end is told, ms: a process that knows no schedules loses the message. */
const LOOK_AGAIN_IF_TOLD_MS = 600_000;

export class ScheduleTurn {
  readonly name: string;
  readonly starts: RunStart[] = [];
  /** Ids of the runs to be cancelled. */
  readonly cancels: string[] = [];
  readonly #nowMs: number;
  readonly #mostBytes: number;
  readonly #state: Draft;
  readonly #next: NextTime;
  readonly #jitterMs: number;
  #isCut = false;

  constructor(name: string, stored: StoredSchedule, nowMs: number, maxPayloadBytes: number) {
    this.name = name;
    this.#state = { ...stored };
    this.#nowMs = nowMs;
    this.#mostBytes = maxPayloadBytes;
    const { definition } = stored;
    this.#next = dueTimes(definition);
    this.#jitterMs = definition.jitter === undefined ? 0 : durationMs(definition.jitter);
  }

  /** The state to be stored. */
  get state(): StoredSchedule {
    return this.#state;
  }

  get #definition(): StoredDefinition {
    return this.#state.definition;
  }

  /** The runs whose outcomes decide what happens now. `told`: those that said that they have ended. */
  undecided(told: readonly string[]): readonly string[] {
    const { running, queued, missed, paused } = this.#state;
    const ids = running.map(({ id }) => id);
    const asksForRuns = this.#definition.overlap !== "allow";
    const isDue = paused === undefined && (this.#nextStartMs() ?? Number.POSITIVE_INFINITY) <= this.#nowMs;
    if (queued.length + missed.length > 0 || (asksForRuns && isDue)) return ids;
    return isDue && this.#definition.catchUp === "all" ? ids : ids.filter((id) => told.includes(id));
  }

  /** Notes the ends of runs. */
  settle(outcomes: ReadonlyMap<string, RunOutcome>): void {
    if (outcomes.size === 0) return;
    const { running } = this.#state;
    this.#state.running = running.filter(({ id }) => !outcomes.has(id));
    for (const { id } of running) {
      const outcome = outcomes.get(id);
      if (outcome === "completed") this.#state.failures = 0;
      else if (outcome === "failed") this.#failed(`the last one is ${id}`);
    }
  }

  /** Starts what is due. */
  goOn(): void {
    this.#backfillOn();
    if (this.#state.paused !== undefined) return;
    this.#decideTo(this.#nowMs);
    this.#startWaiting();
  }

  /** Starts the next due times of periods that are run by hand. */
  #backfillOn(): void {
    const left: Period[] = [];
    for (const { afterMs, toMs } of this.#state.backfills) {
      let lastMs = afterMs;
      for (;;) {
        const due = this.#next(lastMs);
        if (due === undefined || due > toMs) break;
        if (this.starts.length >= MOST_STARTS) {
          left.push({ afterMs: lastMs, toMs });
          break;
        }
        lastMs = due;
        this.#start(due, { isTracked: false, isByHand: true });
      }
    }
    this.#state.backfills = left;
  }

  pause(by: { readonly by?: string; readonly reason?: string }): void {
    this.#state.paused ??= { sinceMs: this.#nowMs, ...by };
  }

  /**
   * Ends the pause. What was due before it runs at once, by the rule for missed due times; what was due in it never runs.
   */
  resume(): void {
    const { paused } = this.#state;
    if (paused === undefined) return;
    delete this.#state.paused;
    this.#state.failures = 0;
    this.#decideTo(paused.sinceMs, { waitsForJitter: false });
    // The due times behind those that one turn can start are lost to `decidedMs` otherwise.
    if (this.#isCut && this.#definition.overlap === "allow") {
      const left = { afterMs: this.#state.decidedMs, toMs: paused.sinceMs };
      this.#state.backfills = [...this.#state.backfills, left];
    }
    this.#state.decidedMs = Math.max(this.#state.decidedMs, this.#nowMs);
    if (this.#state.paused === undefined) this.#startWaiting();
  }

  /** Starts a run now. */
  trigger(id: string, input: string | undefined): void {
    this.#start(this.#nowMs, { id, input, isTracked: this.#definition.overlap !== "allow" });
  }

  /** Runs the due times of a period, its bounds included. */
  backfill(fromMs: number, toMs: number): void {
    const period = { afterMs: fromMs - 1, toMs: Math.min(toMs, this.#nowMs) };
    this.#state.backfills = [...this.#state.backfills, period];
    this.#backfillOn();
  }

  /** Takes another definition. Other due times count from now. */
  redefine(definition: StoredDefinition, hash: string, refusal: string | undefined): void {
    const { hash: before, replaced } = this.#state;
    const isRetimed = timesOf(definition) !== timesOf(this.#definition);
    this.#state.replaced = [...replaced.filter((each) => each !== hash), before].slice(-MOST_RUNNING);
    this.#state.definition = definition;
    this.#state.hash = hash;
    if (refusal === undefined) delete this.#state.refusal;
    else this.#state.refusal = refusal;
    if (isRetimed) Object.assign(this.#state, { decidedMs: this.#nowMs, missed: [] });
  }

  /** Records who changed what. */
  record(change: Omit<ScheduleChange, "atMs">): void {
    const changes = [...this.#state.changes, { ...change, atMs: this.#nowMs }];
    this.#state.changes = changes.slice(-MOST_CHANGES);
  }

  /** The next due time that is not decided; `undefined` while it is paused. */
  get nextDueMs(): number | undefined {
    return this.#state.paused === undefined ? this.#next(this.#state.decidedMs) : undefined;
  }

  /** Time of its next turn; `undefined` if nothing is to come. */
  get wakeAtMs(): number | undefined {
    const { running, queued, missed, paused, backfills } = this.#state;
    if (backfills.length > 0 || (this.#isCut && paused === undefined)) return this.#nowMs;
    if (paused !== undefined) return undefined;
    const nextMs = this.#nextStartMs();
    if (queued.length + missed.length === 0) return nextMs;
    const lookMs = running.every(({ tells }) => tells) ? LOOK_AGAIN_IF_TOLD_MS : LOOK_AGAIN_MS;
    const againMs = this.#nowMs + (running.length === 0 ? 0 : lookMs);
    return Math.min(againMs, nextMs ?? againMs);
  }

  #nextStartMs(): number | undefined {
    const due = this.#next(this.#state.decidedMs);
    return due === undefined ? undefined : this.#jittered(due);
  }

  /** Time at which a due time is to start, ms. */
  #jittered(due: number): number {
    return due + jitterOf(this.name, due, this.#definition.jitter);
  }

  /** schedule-turn.S1 */
  #decideTo(toMs: number, { waitsForJitter = true }: { readonly waitsForJitter?: boolean } = {}): void {
    this.#catchUp(toMs);
    for (let count = 0; this.#state.paused === undefined; count++) {
      const due = this.#next(this.#state.decidedMs);
      if (due === undefined || due > toMs) return;
      if (waitsForJitter && this.#jittered(due) > this.#nowMs) return;
      if (count >= MOST_DECISIONS || this.starts.length >= MOST_STARTS) {
        this.#isCut = true;
        return;
      }
      this.#state.decidedMs = due;
      this.#decide(due);
    }
  }

  /** Decides about the due times that were missed. Those that a period leaves are decided as the others. */
  #catchUp(toMs: number): void {
    const { catchUp } = this.#definition;
    const { decidedMs } = this.#state;
    const missedTo = Math.min(toMs, this.#nowMs - LATE_MS - this.#jitterMs);
    const first = this.#next(decidedMs);
    if (first === undefined || first > missedTo) return;
    if (typeof catchUp === "object") {
      const from = this.#nowMs - durationMs(catchUp.within) - 1;
      this.#state.decidedMs = Math.max(decidedMs, Math.min(from, missedTo));
      return;
    }
    if (catchUp === "all") {
      // What is due just now comes after what was missed.
      const to = Math.max(missedTo, toMs - this.#jitterMs);
      this.#state.missed = [...this.#state.missed, { afterMs: decidedMs, toMs: to }];
      this.#state.decidedMs = to;
      return;
    }
    this.#state.decidedMs = missedTo;
    if (catchUp === "last") {
      const later = this.#next(missedTo);
      const last =
        later !== undefined && later <= toMs ? undefined : lastDueTime(this.#next, decidedMs, missedTo);
      if (last !== undefined) this.#decide(last);
    }
  }

  #decide(due: number): void {
    const { running, queued, missed } = this.#state;
    this.#noteDue(due);
    switch (this.#definition.overlap) {
      case "skip":
        if (running.length === 0 && missed.length === 0) this.#start(due);
        return;
      case "queue":
        if (running.length + queued.length + missed.length === 0) this.#start(due);
        else if (queued.length < MOST_QUEUED) this.#state.queued = [...queued, due];
        return;
      case "cancel":
        this.cancels.push(...running.map(({ id }) => id));
        this.#state.running = [];
        this.#start(due);
        return;
      case "allow":
        this.#start(due, { isTracked: this.#definition.pauseOnFailure !== undefined });
    }
  }

  /** Starts the first that waits, if nothing runs. */
  #startWaiting(): void {
    while (this.#state.paused === undefined && this.#state.running.length === 0) {
      const due = this.#takeMissed() ?? this.#takeQueued();
      if (due === undefined) return;
      this.#noteDue(due);
      this.#start(due, { isTracked: true, tells: true });
    }
  }

  #takeMissed(): number | undefined {
    for (;;) {
      const [first, ...others] = this.#state.missed;
      if (first === undefined) return undefined;
      const due = this.#next(first.afterMs);
      if (due !== undefined && due <= first.toMs) {
        this.#state.missed = [{ ...first, afterMs: due }, ...others];
        return due;
      }
      this.#state.missed = others;
    }
  }

  #takeQueued(): number | undefined {
    const [first, ...others] = this.#state.queued;
    if (first !== undefined) this.#state.queued = others;
    return first;
  }

  #noteDue(due: number): void {
    this.#state.lastDueMs = Math.max(due, this.#state.lastDueMs ?? 0);
  }

  #start(dueMs: number, given: StartOptions = {}): void {
    const { overlap, catchUp, pauseOnFailure } = this.#definition;
    const { id = runIdOf(this.name, dueMs), isTracked = true } = given;
    const tells =
      isTracked &&
      (given.tells ?? (overlap === "queue" || catchUp === "all" || pauseOnFailure !== undefined));
    const input = given.input ?? this.#definition.input ?? "";
    const message = this.#refusal(id, input, given.input !== undefined);
    if (message !== undefined) {
      this.#state.lastFailure = { dueMs, message };
      if (isTracked) this.#failed(message);
      return;
    }
    // A due time that several periods have is started once.
    if (this.starts.some((each) => each.id === id)) return;
    const fireMs = Math.min(this.#jittered(dueMs), this.#nowMs);
    const isByHand = given.id !== undefined || given.isByHand === true;
    this.starts.push({ id, dueMs, input, tells, ...(!isByHand && { fireMs }) });
    const run: OpenRun = { id, atMs: this.#nowMs, tells };
    if (isTracked) this.#state.running = [...this.#state.running, run].slice(-MOST_RUNNING);
  }

  #refusal(id: string, input: string, isOwn: boolean): string | undefined {
    if (!isOwn && this.#state.refusal !== undefined) return this.#state.refusal;
    try {
      checkRootId(id);
    } catch (error) {
      return thrownMessage(error);
    }
    const bytes = storedBytes(input);
    if (bytes <= this.#mostBytes) return undefined;
    return `the input takes ${bytes} bytes in the store, more than maxPayloadBytes (${this.#mostBytes})`;
  }

  #failed(what: string): void {
    const { pauseOnFailure } = this.#definition;
    if (pauseOnFailure === undefined) return;
    this.#state.failures++;
    if (this.#state.failures < pauseOnFailure) return;
    this.pause({ reason: `${this.#state.failures} runs in a row failed: ${what}` });
  }
}

interface StartOptions {
  readonly id?: string;
  readonly input?: string | undefined;
  /** Whether `overlap` counts it. */
  readonly isTracked?: boolean;
  readonly tells?: boolean;
  readonly isByHand?: boolean;
}

function timesOf({ cron, timezone, every, offset, at }: StoredDefinition): string {
  const period = every === undefined ? undefined : durationMs(every);
  const shift = offset === undefined ? 0 : durationMs(offset);
  return JSON.stringify([cron, timezone, period, shift, at]);
}
