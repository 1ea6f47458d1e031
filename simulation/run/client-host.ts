/** A process with clients, each of which has a program to look after. It may die; its successor goes on. */
import { Client, sleep } from "@duroxide-ts/core";
import { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import type { World } from "../world/world.ts";
import type { Driver } from "./driver.ts";
import type { Connection, SimulatedStore } from "./simulated-store.ts";
import { tracingLogger } from "./tracing-logger.ts";

const RESTART_MS = 500;

export class ClientHost {
  readonly #world: World;
  readonly #store: SimulatedStore;
  readonly #name: string;
  #drivers: readonly Driver[];
  #incarnation = 0;
  #machine: Machine | undefined;
  /** How many programs its process looks after now. */
  #looksAfter = 0;

  constructor(world: World, store: SimulatedStore, name: string, drivers: readonly Driver[]) {
    this.#world = world;
    this.#store = store;
    this.#name = name;
    this.#drivers = drivers;
  }

  get machine(): Machine | undefined {
    return this.#machine;
  }

  /** None of its programs is under way: they have ended, or start later. The process makes no calls. */
  get isIdle(): boolean {
    return this.#looksAfter === 0;
  }

  /** The next process looks after these. */
  take(drivers: readonly Driver[]): void {
    this.#drivers = drivers;
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
    } catch (error) {
      this.#world.trace.add(`${machine.name} cannot connect: ${String(error)}`);
      machine.schedule(RESTART_MS, () => machine.kill());
      return;
    }
    const client = new Client(connection.provider, {
      clock: machine,
      random: Chance.of(this.#world.seed, `client ${machine.name}`),
      logger: tracingLogger(this.#world, machine),
    });
    const waiting = this.#drivers.filter(({ ending }) => ending === undefined);
    await Promise.all(waiting.map((driver) => this.#lookAfter(driver, client, machine)));
  }

  async #lookAfter(driver: Driver, client: Client, machine: Machine): Promise<void> {
    await sleep(machine, driver.program.startsAtMs - this.#world.elapsedMs);
    this.#looksAfter++;
    await driver.run(client, machine).catch((error: unknown) => this.#world.fail(error));
    this.#looksAfter--;
  }
}
