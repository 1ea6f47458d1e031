/** The schedules of a store, for clients. What does the work is loaded at the first call. */
import type { InstanceQueryPage } from "../../contract/queries.ts";
import type { Schedule } from "../../define/schedule.ts";
import { checkClientCall } from "../../guard/client-calls.ts";
import type { InstanceHandle } from "../instance-handle.ts";
import type { ByHand } from "../verbs/verb-options.ts";
import type { ScheduleInfo } from "./schedule-info.ts";
import type {
  ApplyOptions,
  ApplyResult,
  BackfillOptions,
  RunsOptions,
  TriggerOptions,
} from "./schedule-options.ts";
import type { ScheduleTools } from "./schedule-tools.ts";

/**
 * Schedules of a store; available as `client.schedules`. A verb resolves when it holds, whether a runtime runs or not.
 * What is not the name of a schedule is `not-found`.
 */
export class Schedules {
  readonly #unchecked: ScheduleTools;

  constructor(tools: ScheduleTools) {
    this.#unchecked = tools;
  }

  get #tools(): ScheduleTools {
    checkClientCall();
    return this.#unchecked;
  }

  /**
   * Creates the schedules, and changes those whose definition differs; nothing is written where it does not. A definition
   * that was replaced by a newer one changes nothing, and is logged.
   *
   * @example
   * ```ts
   * const nightly = schedule("nightly", { cron: "0 3 * * *", orchestration: checkout, input: order });
   * await client.schedules.apply([nightly], { prune: true, by: "deployment 42" });
   * ```
   */
  async apply(schedules: readonly Schedule[], options: ApplyOptions = {}): Promise<ApplyResult> {
    const tools = this.#tools;
    return (await import("./apply.ts")).apply(tools, schedules, options);
  }

  /**
   * All schedules, by name.
   *
   * @example
   * ```ts
   * for (const { name, nextDueMs } of await client.schedules.list()) console.log(name, nextDueMs);
   * ```
   */
  async list(): Promise<readonly ScheduleInfo[]> {
    const tools = this.#tools;
    return (await reads()).list(tools);
  }

  /**
   * One schedule; `undefined` for an unknown name.
   *
   * @example
   * ```ts
   * const nightly = await client.schedules.get("nightly");
   * ```
   */
  async get(name: string): Promise<ScheduleInfo | undefined> {
    const tools = this.#tools;
    return (await reads()).get(tools, name);
  }

  /**
   * At most `n` due times after now, without jitter, ms since the epoch; none while it is paused.
   *
   * @example
   * ```ts
   * const due = await client.schedules.next("nightly", 3);
   * ```
   */
  async next(name: string, n = 1): Promise<number[]> {
    const tools = this.#tools;
    return (await reads()).next(tools, name, n);
  }

  /**
   * A page of its runs, newest first.
   *
   * @example
   * ```ts
   * const runs = await client.schedules.runs("nightly");
   * ```
   */
  async runs(name: string, options: RunsOptions = {}): Promise<InstanceQueryPage> {
    const tools = this.#tools;
    return (await reads()).runs(tools, name, options);
  }

  /**
   * No due time runs until it is resumed, and what is due meanwhile never does. Runs that were begun continue.
   *
   * @example
   * ```ts
   * await client.schedules.pause("nightly", { by: "ada", reason: "the disk is full" });
   * ```
   */
  async pause(name: string, options: ByHand = {}): Promise<void> {
    const tools = this.#tools;
    return (await changes()).pause(tools, name, options);
  }

  /**
   * Ends a pause.
   *
   * @example
   * ```ts
   * await client.schedules.resume("nightly", { by: "ada" });
   * ```
   */
  async resume(name: string, options: ByHand = {}): Promise<void> {
    const tools = this.#tools;
    return (await changes()).resume(tools, name, options);
  }

  /**
   * Starts a run now, whatever runs and also while the schedule is paused. `overlap` of later due times counts it.
   *
   * @example
   * ```ts
   * const run = await client.schedules.trigger("nightly", { by: "ada", input: { keepDays: 7 } });
   * await run.result();
   * ```
   */
  async trigger(name: string, options: TriggerOptions = {}): Promise<InstanceHandle<unknown>> {
    const tools = this.#tools;
    return (await changes()).trigger(tools, name, options);
  }

  /**
   * Runs the due times of a period that have no run yet, whatever `overlap` says. LimitExceededError for more than 10,000.
   *
   * @example
   * ```ts
   * await client.schedules.backfill("nightly", { from: new Date("2026-11-01"), to: new Date("2026-11-07") });
   * ```
   */
  async backfill(name: string, options: BackfillOptions): Promise<void> {
    const tools = this.#tools;
    return (await changes()).backfill(tools, name, options);
  }

  /**
   * Forgets the schedule; its runs stay. Returns whether there was one.
   *
   * @example
   * ```ts
   * await client.schedules.delete("nightly");
   * ```
   */
  async delete(name: string, options: ByHand = {}): Promise<boolean> {
    const tools = this.#tools;
    return (await changes()).remove(tools, name, options);
  }
}

function reads(): Promise<typeof import("./reads.ts")> {
  return import("./reads.ts");
}

function changes(): Promise<typeof import("./changes.ts")> {
  return import("./changes.ts");
}
