/** Records every call of an activity's handler, and which calls are still running. */
import { sleep, systemClock } from "../../contract/clock.ts";
import type { ActivityContext } from "../../define/activity-context.ts";
import type { AnyActivity } from "../../define/definition-types.ts";
import { earliest } from "./earliest.ts";
import { HandlerTimers } from "./environment-clock.ts";

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
  /** Whether it took longer than `patienceMs`: it waits for the test, or for virtual time. */
  slow: boolean;
}

export class ActivityRecorder {
  readonly #calls: ActivityCall[] = [];
  readonly #running = new Set<RunningCall>();

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

  /** Waits, in real time, until a running handler has ended; false if none ends within the time. */
  async awaitHandler(patienceMs: number): Promise<boolean> {
    const running = [...this.#running].filter(({ slow }) => !slow);
    if (running.length === 0) return false;
    const ended = Promise.race(running.map((entry) => entry.ended.then(() => true)));
    const given = new AbortController();
    const patience = sleep(systemClock, patienceMs, given.signal).then(() => false);
    const hasEnded = await Promise.race([ended, patience]);
    given.abort();
    if (!hasEnded) for (const entry of running) entry.slow = true;
    return hasEnded;
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
    const entry = { call, ended, timers, slow: false };
    this.#calls.push(call);
    this.#running.add(entry);
    try {
      const value = await timers.of(start);
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
