/** A process that serves orchestrations, dies, and is started again. */
import { ProviderError, type TagFilter } from "@duroxide-ts/core";
import { VERSIONS } from "../programs/carry-out.ts";
import { TAG } from "../programs/draw.ts";
import type { Connection, SimulatedStore } from "../store/simulated-store.ts";
import { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { type RuntimeParts, startRuntime } from "./start-runtime.ts";

export interface ServerParts extends RuntimeParts {
  readonly store: SimulatedStore;
}

const FIRST_SERVER = "s0";

const RESTART_MS = [50, 500, 3_000] as const;
const RECONNECT_MS = 1_000;

export class Server {
  readonly #parts: ServerParts;
  readonly #name: string;
  readonly #chance: Chance;
  #incarnation = 0;
  #machine: Machine | undefined;
  #stop: (() => Promise<void>) | undefined;
  /** The first process takes everything, so that no activity waits for ever. */
  readonly #tagFilter: TagFilter;
  /** Versions in the code of the next incarnation; the newest code has all. */
  versions: readonly string[] = VERSIONS;

  constructor(parts: ServerParts, name: string) {
    this.#parts = parts;
    this.#name = name;
    this.#chance = Chance.of(parts.world.seed, name);
    this.#tagFilter =
      name === FIRST_SERVER
        ? { kind: "any" }
        : this.#chance.pick<TagFilter>([
            { kind: "default-only" },
            { kind: "tags", tags: [TAG] },
            { kind: "any" },
          ]);
  }

  get machine(): Machine | undefined {
    return this.#machine;
  }

  start(): void {
    const { world } = this.#parts;
    const machine = world.machine(`${this.#name}.${this.#incarnation++}`);
    this.#machine = machine;
    machine.onDeath(() => this.#startLater());
    world.in(machine, () => void this.#serve(machine));
  }

  kill(): void {
    this.#machine?.kill();
  }

  freeze(forMs: number): void {
    this.#machine?.freeze(forMs);
  }

  /** It is stopped in order, and started with these versions of the code. */
  deploy(versions: readonly string[]): void {
    const { world } = this.#parts;
    this.versions = versions;
    const [machine, stop] = [this.#machine, this.#stop];
    if (machine === undefined || machine.isDead || stop === undefined) return;
    this.#stop = undefined;
    world.in(machine, () => {
      stop().then(
        () => machine.kill(),
        (error: unknown) => this.#failed(machine, error),
      );
    });
  }

  /** Nothing fails but what needs a store that is gone; then the process is ended. */
  #failed(machine: Machine, error: unknown): void {
    if (ProviderError.is(error) && error.code === "store-gone") machine.kill();
    else this.#parts.world.fail(error);
  }

  #startLater(): void {
    const { world } = this.#parts;
    this.#stop = undefined;
    const previous = this.#machine;
    world.schedule(this.#chance.pick(RESTART_MS), undefined, `start ${this.#name}`, () => {
      if (this.#machine === previous) this.start();
    });
  }

  async #serve(machine: Machine): Promise<void> {
    const { world, store } = this.#parts;
    let connection: Connection;
    try {
      connection = await store.connect(machine, "server");
    } catch (error) {
      world.trace.add(`${machine.name} cannot connect: ${String(error)}`);
      machine.schedule(RECONNECT_MS, () => machine.kill());
      return;
    }
    try {
      const { versions } = this;
      const tagFilter: TagFilter = this.#parts.settings.tags ? this.#tagFilter : { kind: "any" };
      const code = { versions, tagFilter };
      const runtime = await startRuntime(this.#parts, machine, connection.provider, code);
      this.#stop = async () => {
        await runtime.shutdown({ graceMs: 500 });
        // Many programs end as soon as the runtime is shut down.
        if (this.#chance.happens(0.5)) await connection.close();
      };
      // It was deployed while it started.
      if (versions !== this.versions) this.deploy(this.versions);
    } catch (error) {
      // A start that has something to store is repeated by whatever looks after the process.
      if (!ProviderError.is(error)) return this.#failed(machine, error);
      world.trace.add(`${machine.name} cannot start: ${String(error)}`);
      machine.schedule(RECONNECT_MS, () => machine.kill());
    }
  }
}
