/** Notes every call of an activity's handler, and knows which of them are still running. */
import { sleep, systemClock } from "../../contract/clock.ts";
import type { AnyActivity } from "../../define/definition-types.ts";

/** One call of a handler. A retried activity is called again; so is one whose worker died. */
export interface ActivityCall<Input = unknown, Output = unknown> {
  readonly activityName: string;
  /** As the handler got it. */
  readonly input: Input;
  readonly instanceId: string;
  readonly executionId: number;
  /** How often this very call was delivered, 1 unless a worker died over it. A retry by policy is a new call. */
  readonly attempt: number;
  readonly outcome: ActivityCallOutcome<Output>;
}

/** What has become of a call so far. */
export type ActivityCallOutcome<Output = unknown> =
  | { readonly kind: "running" }
  | { readonly kind: "returned"; readonly value: Output }
  | { readonly kind: "threw"; readonly error: unknown };

interface RunningCall {
  readonly call: ActivityCall;
  readonly ended: Promise<void>;
  /** Has used up the patience: it waits for the test, or for time that the test has to move. */
  slow: boolean;
}

export class ActivityRecorder {
  readonly #calls: ActivityCall[] = [];
  readonly #running = new Set<RunningCall>();

  /** The activities with handlers that are noted. Of several with one name the last counts. */
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

  /** In the order in which they began. */
  calls(activityName: string): readonly ActivityCall[] {
    return this.#calls.filter((call) => call.activityName === activityName);
  }

  isRunning(activityName: string, instanceId: string): boolean {
    return [...this.#running].some(
      ({ call }) => call.activityName === activityName && call.instanceId === instanceId,
    );
  }

  /** Waits, in real time, until a running handler has ended; false when none does within its patience. */
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
