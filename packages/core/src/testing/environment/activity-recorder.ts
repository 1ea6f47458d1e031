/** Records every call of an activity's handler, and which calls are still running. */
import { sleep, systemClock } from "../../contract/clock.ts";
import type { ActivityContext } from "../../define/activity-context.ts";
import type { AnyActivity } from "../../define/definition-types.ts";
import { earliest } from "./earliest.ts";
import { HandlerTimers } from "./environment-clock.ts";
import { activeResources, isMoreActive, LONGEST_WAIT_MS, PendingWork } from "./pending-work.ts";

/** One call of a handler. A retry, and a delivery after a crash of the worker, are further calls. */
export interface ActivityCall<Input = unknown, Output = unknown> {
  readonly activityName: string;
  /** Input as the handler got it. */
  readonly input: Input;
  readonly instanceId: string;
  readonly executionId: number;
  /** How often this call was delivered: 1 unless its worker crashed. A retry by policy is a new call. */
  readonly attempt: number;
  readonly outcome: ActivityCallOutcome<Output>;
}

/** The current state of a call. */
export type ActivityCallOutcome<Output = unknown> =
  | { readonly kind: "running" }
  | { readonly kind: "returned"; readonly value: Output }
  | { readonly kind: "threw"; readonly error: unknown };

interface RunningCall {
  readonly call: ActivityCall;
  readonly ended: Promise<void>;
  readonly timers: HandlerTimers;
  readonly work: PendingWork;
  /** The finding of the environment about what it waits for: nothing that ends by itself, or something that takes too long. */
  waitsFor: "nothing yet" | "the test" | "too long";
}

/** Rounds of a few ms without anything pending, after which a handler is taken to wait for the test. */
const QUIET_ROUNDS = 20;
const ROUND_MS = 5;
/** The most rounds. Rounds, and not a time: on a busy machine they take longer, as the work of the handler does. */
const MOST_ROUNDS = LONGEST_WAIT_MS / ROUND_MS;

export class ActivityRecorder {
  readonly #calls: ActivityCall[] = [];
  readonly #running = new Set<RunningCall>();
  /** Number of the resources that kept the process alive before any handler ran (pending-work.PW1). */
  #before: ReadonlyMap<string, number> = new Map();

  /** The activities with recorded handlers. If several have one name, the last is used. */
  record(activities: readonly AnyActivity[]): AnyActivity[] {
    const byName = new Map(activities.map((definition) => [definition.name, definition]));
    return [...byName.values()].map((definition) =>
      definition.mock((ctx, input: unknown) => this.run(ctx, input, () => definition.handler(ctx, input))),
    );
  }

  /** The calls in the order in which they began. */
  calls(activityName: string): readonly ActivityCall[] {
    return this.#calls.filter((call) => call.activityName === activityName);
  }

  /** Undefined if no handler of the activity runs for the instance. */
  running(activityName: string, instanceId: string): { readonly dueMs: number | undefined } | undefined {
    const running = [...this.#running].filter(
      ({ call }) => call.activityName === activityName && call.instanceId === instanceId,
    );
    return running.length === 0
      ? undefined
      : { dueMs: earliest(running.map(({ timers }) => timers.nextDueMs)) };
  }

  /**
   * Waits, in real time, until a running handler has ended; false if all wait for the test, or for virtual time. With
   * `patienceMs`, whatever they wait for, for so long.
   */
  async awaitHandler(patienceMs: number | undefined): Promise<boolean> {
    const running = [...this.#running].filter(
      ({ waitsFor, work }) => waitsFor === "nothing yet" || (waitsFor === "the test" && work.isPending),
    );
    if (running.length === 0) return false;
    const ended = Promise.race(running.map((entry) => entry.ended.then(() => "ended" as const)));
    const given = new AbortController();
    const patience =
      patienceMs === undefined
        ? this.#untilQuiet(running, given.signal)
        : sleep(systemClock, patienceMs, given.signal).then(() => "too long" as const);
    const found = await Promise.race([ended, patience]);
    given.abort();
    if (found === "ended") return true;
    for (const entry of running) entry.waitsFor = found;
    return false;
  }

  async #untilQuiet(running: readonly RunningCall[], over: AbortSignal): Promise<"the test" | "too long"> {
    let quiet = 0;
    for (let rounds = 0; rounds < MOST_ROUNDS && !over.aborted; rounds++) {
      await sleep(systemClock, ROUND_MS, over);
      const isPending = running.some(({ work }) => work.isPending) || isMoreActive(this.#before);
      quiet = isPending ? 0 : quiet + 1;
      if (quiet === QUIET_ROUNDS) return "the test";
    }
    return "too long";
  }

  /** Runs a handler as a recorded call. */
  async run(context: ActivityContext, input: unknown, start: () => unknown): Promise<unknown> {
    const { activityName, instanceId, executionId, attempt } = context;
    const call: { -readonly [K in keyof ActivityCall]: ActivityCall[K] } = {
      activityName,
      input,
      instanceId,
      executionId,
      attempt,
      outcome: { kind: "running" },
    };
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const timers = new HandlerTimers();
    const work = new PendingWork();
    if (this.#running.size === 0) this.#before = activeResources();
    const entry: RunningCall = { call, ended, timers, work, waitsFor: "nothing yet" };
    this.#calls.push(call);
    this.#running.add(entry);
    try {
      const value = await work.of(() => timers.of(start));
      call.outcome = { kind: "returned", value };
      return value;
    } catch (error) {
      call.outcome = { kind: "threw", error };
      throw error;
    } finally {
      this.#running.delete(entry);
      end();
    }
  }
}
