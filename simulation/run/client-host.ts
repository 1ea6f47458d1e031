/**
 * A process with a client for each of its programs, and maybe one that lists all, and maybe a runtime. It may die; its
 * successor goes on.
 */
import { Client, type Random, sleep } from "@duroxide-ts/core";
import type { LinearReads } from "../checks/linear-reads.ts";
import type { ObserverFaults } from "../faults/observers.ts";
import { VERSIONS } from "../programs/carry-out.ts";
import type { Connection, SimulatedStore } from "../store/simulated-store.ts";
import { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { tracingLogger } from "../world/tracing-logger.ts";
import type { World } from "../world/world.ts";
import type { Driver } from "./driver.ts";
import { listNowAndThen } from "./lister.ts";
import type { ScheduleDriver } from "./schedule-driver.ts";
import { type RuntimeParts, startRuntime } from "./start-runtime.ts";
import type { Clients } from "./starter.ts";

const RESTART_MS = 500;

/** The tasks of the clients of a process, and the reads of all clients. */
export interface ClientWork {
  readonly drivers: readonly Driver[];
  /** Drivers whose programs are started from this process too. */
  readonly others: readonly Driver[];
  readonly schedules: readonly ScheduleDriver[];
  readonly reads: LinearReads;
  /** Whether one of them lists all instances. */
  readonly lists: boolean;
  readonly onViolation: (violation: string) => void;
}

export interface ClientHostParts {
  readonly world: World;
  readonly store: SimulatedStore;
  readonly observers: ObserverFaults;
  /** Parts of the runtime in the same process; without them it has none. */
  readonly runtime?: RuntimeParts | undefined;
}

export class ClientHost {
  readonly #world: World;
  readonly #store: SimulatedStore;
  readonly #name: string;
  readonly #observers: ObserverFaults;
  readonly #runtime: RuntimeParts | undefined;
  #work: ClientWork;
  #incarnation = 0;
  #machine: Machine | undefined;
  /** How many programs its process looks after now. */
  #looksAfter = 0;

  constructor({ world, store, observers, runtime }: ClientHostParts, name: string, work: ClientWork) {
    this.#world = world;
    this.#store = store;
    this.#observers = observers;
    this.#runtime = runtime;
    this.#name = name;
    this.#work = work;
  }

  get machine(): Machine | undefined {
    return this.#machine;
  }

  /** None of its programs is under way: they have ended, or start later. The process makes no calls. */
  get isIdle(): boolean {
    return this.#looksAfter === 0;
  }

  /** Replaces the work for the next process. */
  take(work: ClientWork): void {
    this.#work = work;
  }

  start(): void {
    const machine = this.#world.machine(`${this.#name}.${this.#incarnation++}`);
    this.#machine = machine;
    this.#looksAfter = 0;
    machine.onDeath(() => this.#startLater());
    this.#world.in(machine, () => void this.#serve(machine));
  }

  kill(): void {
    this.#machine?.kill();
  }

  #startLater(): void {
    this.#world.schedule(RESTART_MS, undefined, `start ${this.#name}`, () => this.start());
  }

  async #serve(machine: Machine): Promise<void> {
    let connection: Connection;
    try {
      connection = await this.#store.connect(machine, "client");
      const code = { versions: VERSIONS, tagFilter: { kind: "any" } } as const;
      if (this.#runtime !== undefined) await startRuntime(this.#runtime, machine, connection.provider, code);
    } catch (error) {
      this.#world.trace.add(`${machine.name} cannot connect: ${String(error)}`);
      machine.schedule(RESTART_MS, () => machine.kill());
      return;
    }
    const logger = this.#observers.of(machine).logger(tracingLogger(this.#world, machine));
    const clientWith = (random: Random): Client =>
      new Client(connection.provider, { clock: machine, random, logger });
    const chance = Chance.of(this.#world.seed, `client ${machine.name}`);
    const client = clientWith(chance);
    const clientsFor = ({ program: { instanceId } }: Driver): Clients => ({
      client,
      drawing: clientWith({ next: () => chance.next(), uuid: () => instanceId }),
    });
    if (this.#work.lists) this.#list(client, machine);
    const { drivers, others, schedules } = this.#work;
    const waiting = drivers.filter(({ ending }) => ending === undefined);
    await Promise.all([
      ...waiting.map((driver) => {
        const { startsAtMs } = driver.program;
        return this.#lookAfter(startsAtMs, machine, () => driver.run(clientsFor(driver), machine));
      }),
      ...others.map((driver) =>
        this.#lookAfter(driver.program.startsAtMs, machine, () =>
          driver.startToo(clientsFor(driver), machine),
        ),
      ),
      ...schedules
        .filter(({ isOver }) => !isOver)
        .map((driver) => this.#lookAfter(driver.plan.startsAtMs, machine, () => driver.run(client, machine))),
    ]);
  }

  #list(client: Client, machine: Machine): void {
    const { drivers, reads, onViolation } = this.#work;
    const chance = Chance.of(this.#world.seed, `lists ${machine.name}`);
    const isOver = (): boolean => drivers.every(({ ending }) => ending !== undefined);
    const listing = listNowAndThen(client, machine, { reads, chance, isOver, onViolation });
    listing.catch((error: unknown) => this.#world.fail(error));
  }

  async #lookAfter(startsAtMs: number, machine: Machine, run: () => Promise<void>): Promise<void> {
    await sleep(machine, startsAtMs - this.#world.elapsedMs);
    this.#looksAfter++;
    await run().catch((error: unknown) => this.#world.fail(error));
    this.#looksAfter--;
  }
}
