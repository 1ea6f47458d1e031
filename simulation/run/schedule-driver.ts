/**
 * Changes a schedule by hand, as its plan says, and pauses it long after the last fault. What it has done outlives its
 * process; what was under way is done again by the next one.
 */
import { type Client, DuroxideError, RefusedError, sleep } from "@duroxide-ts/core";
import type { Backfilled } from "../checks/schedule-rules.ts";
import type { DrivenSchedule } from "../checks/schedule-watch.ts";
import type { SchedulePlan, ScheduleVerb } from "../programs/schedules.ts";
import type { Machine } from "../world/machine.ts";
import { retryUntilDone } from "./retry-until-done.ts";

const AGAIN_MS = 300;
const LOOK_MS = 1_000;
/** After the faults, ms: by then the processes have decided what was due. */
const SETTLED_MS = 20_000;

export interface ScheduleDriverParts {
  /** There are no more faults. */
  readonly isCalm: () => boolean;
  /** Periods that were asked for, also by an earlier client; the last one maybe without success. */
  readonly backfilled: Backfilled[];
  readonly onViolation: (violation: string) => void;
}

export class ScheduleDriver implements DrivenSchedule {
  readonly plan: SchedulePlan;
  readonly #parts: ScheduleDriverParts;
  #done = 0;
  #triggers = 0;
  #isOver = false;

  constructor(plan: SchedulePlan, parts: ScheduleDriverParts) {
    this.plan = plan;
    this.#parts = parts;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get triggers(): number {
    return this.#triggers;
  }

  get backfilled(): readonly Backfilled[] {
    return this.#parts.backfilled;
  }

  async run(client: Client, machine: Machine): Promise<void> {
    const { verbs } = this.plan;
    for (const verb of verbs.slice(this.#done)) {
      await sleep(machine, verb.afterMs);
      await this.#untilDone(machine, () => this.#ask(verb, client, machine));
      if (verb.verb === "trigger") this.#triggers++;
      this.#done++;
    }
    while (!this.#parts.isCalm()) await sleep(machine, LOOK_MS);
    await sleep(machine, SETTLED_MS);
    await this.#untilDone(machine, () => client.schedules.pause(this.plan.name));
    this.#isOver = true;
  }

  async #ask(verb: ScheduleVerb, { schedules }: Client, machine: Machine): Promise<void> {
    const { name } = this.plan;
    switch (verb.verb) {
      case "pause":
        return schedules.pause(name, { by: "operator" });
      case "resume":
        return schedules.resume(name, { by: "operator" });
      case "trigger":
        await schedules.trigger(name, {});
        return;
      case "backfill": {
        const toMs = machine.now();
        this.#parts.backfilled.push({ fromMs: toMs - verb.backMs, toMs });
        return schedules.backfill(name, { from: toMs - verb.backMs, to: toMs });
      }
    }
  }

  /** Before the first process has applied it, there is none. */
  async #untilDone(machine: Machine, call: () => Promise<void>): Promise<void> {
    const isDone = (): Promise<boolean> =>
      call().then(
        () => true,
        (error: unknown) => {
          const isEarly = DuroxideError.is(error) && error.code === "not-found";
          if (isEarly || error instanceof RefusedError) return false;
          throw error;
        },
      );
    while (!(await retryUntilDone(machine, isDone, this.#parts.onViolation))) await sleep(machine, AGAIN_MS);
  }
}
