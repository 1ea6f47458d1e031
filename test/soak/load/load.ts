/** All instances of a soak: which there are, when each of them starts, and how they stand. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@duroxide-ts/core";
import type { SeededRandom } from "../../support/seeded-random.ts";
import { PROCEED, planRare, planReworked, proceed } from "../programs/deployment.ts";
import { planHostile, planKiller } from "../programs/hostile.ts";
import { planInnocent } from "../programs/innocent.ts";
import type { Group, Plan } from "../programs/program.ts";
import { Instance } from "./instance.ts";

/** Starts lie in this part of the time, so that the last ones meet interruptions too. */
const ARRIVALS = 0.9;

/** Share of rare instances among the innocent ones. */
const RARE_SHARE = 0.04;

/** A killer ends several processes. */
const KILLERS_PER_MINUTE = 1;

/** Instances that meet one deployment in the middle of their code. */
const REWORKED_AT_ONCE = 4;

const LOOK_EVERY_MS = 1_000;
const LOOKS_AT_ONCE = 8;

export interface LoadOptions {
  readonly client: Client;
  readonly random: SeededRandom;
  readonly durationMs: number;
  /** Innocent ones, and hostile ones beside them. */
  readonly instances: number;
  readonly hostile: number;
  readonly lockMs: number;
}

export class Load {
  readonly #options: LoadOptions;
  readonly #instances: Instance[] = [];
  readonly #breakdowns: string[] = [];
  #reworked: readonly Instance[] = [];
  readonly #end = new AbortController();
  readonly #looking: Promise<void>;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { random, durationMs } = options;
    for (const plan of random.shuffled(plansFor(options))) {
      this.#add(plan, random.next() * durationMs * ARRIVALS);
    }
    this.#looking = this.#look();
  }

  get instances(): readonly Instance[] {
    return this.#instances;
  }

  /** Calls of the client that were refused for good. */
  get breakdowns(): readonly string[] {
    return this.#breakdowns;
  }

  in(group: Group): readonly Instance[] {
    return this.#instances.filter(({ plan }) => plan.group === group);
  }

  /** Instances of the code that a deployment changes. Resolves when each has a history. */
  async startReworked(): Promise<void> {
    const { random } = this.#options;
    const plans = Array.from({ length: REWORKED_AT_ONCE }, () => planReworked(random, 0));
    this.#reworked = plans.map((plan) => this.#add(plan, 0));
    while (
      !this.#reworked.every(({ customStatus, end }) => customStatus === "waiting" || end !== undefined)
    ) {
      await sleep(LOOK_EVERY_MS / 4);
    }
  }

  /** Sends what they wait for. */
  proceed(): void {
    for (const instance of this.#reworked) this.#await(instance, instance.sendOnceWaiting(proceed, PROCEED));
    this.#reworked = [];
  }

  /** Instances whose end is awaited. */
  get unfinished(): readonly Instance[] {
    return this.#instances.filter(({ plan, end }) => end === undefined && plan.mayRun !== true);
  }

  /** Resolves when all have ended that must, or when none has ended for `settleMs`. A slow machine is given its time. */
  async settle(settleMs: number): Promise<void> {
    this.proceed();
    let left = this.unfinished.length;
    let endsAtMs = Date.now() + settleMs;
    while (left > 0 && Date.now() < endsAtMs) {
      await sleep(LOOK_EVERY_MS / 4);
      if (this.unfinished.length < left) endsAtMs = Date.now() + settleMs;
      left = this.unfinished.length;
    }
    this.#end.abort();
    for (const instance of this.#instances) instance.giveUp();
    await this.#looking;
  }

  #add(plan: Plan, afterMs: number): Instance {
    const instance = new Instance(this.#options.client, plan, this.#instances.length);
    this.#instances.push(instance);
    this.#await(
      instance,
      sleep(afterMs).then(() => instance.run()),
    );
    return instance;
  }

  #await(instance: Instance, call: Promise<void>): void {
    call.catch((error) =>
      this.#breakdowns.push(`${instance.id}: a call of the client was refused: ${error}`),
    );
  }

  async #look(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const open = this.#instances.filter(({ isStarted, end }) => isStarted && end === undefined);
      const lanes = Array.from({ length: LOOKS_AT_ONCE }, async () => {
        for (let next = open.shift(); next !== undefined; next = open.shift()) {
          await next.look().catch(() => {});
        }
      });
      await Promise.all(lanes);
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function plansFor({ random, durationMs, instances, hostile, lockMs }: LoadOptions): readonly Plan[] {
  const killers = hostile === 0 ? 0 : (durationMs / 60_000) * KILLERS_PER_MINUTE;
  const list = (count: number, plan: (number: number) => Plan): Plan[] =>
    Array.from({ length: Math.ceil(count) }, (_, number) => plan(number));
  return [
    ...list(instances, (number) => planInnocent(random, number)),
    ...list(instances * RARE_SHARE, (number) => planRare(random, number)),
    ...list(hostile, (number) => planHostile(random, number, lockMs)),
    ...list(killers, (number) => planKiller(random, number, lockMs)),
  ];
}
