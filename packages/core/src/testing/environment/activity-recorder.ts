/** Records every call of an activity's handler, and which calls are still running. */
import { sleep, systemClock } from "../../contract/clock.ts";
import type { AnyActivity } from "../../define/definition-types.ts";

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
      definition.mock((ctx, input: unknown) => {
        const { activityName, instanceId, executionId, attempt } = ctx;
        const identity = { activityName, input, instanceId, executionId, attempt };
        return this.#run(identity, () => definition.handler(ctx, input));
      }),
    );
  }

  /** The calls in the order in which they began. */
  calls(activityName: string): readonly ActivityCall[] {
    return this.#calls.filter((call) => call.activityName === activityName);
  }

  isRunning(activityName: string, instanceId: string): boolean {
    return [...this.#running].some(
      ({ call }) => call.activityName === activityName && call.instanceId === instanceId,
    );
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

  async #run(identity: Omit<ActivityCall, "outcome">, start: () => unknown): Promise<unknown> {
    const call: { -readonly [K in keyof ActivityCall]: ActivityCall[K] } = {
      ...identity,
      outcome: { kind: "running" },
    };
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const entry = { call, ended, slow: false };
    this.#calls.push(call);
    this.#running.add(entry);
    try {
      const value = await start();
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
