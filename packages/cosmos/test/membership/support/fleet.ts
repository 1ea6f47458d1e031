/** Processes that share a container on the local endpoint, all on one virtual clock, the endpoint too. */
import { systemProcesses } from "@duroxide-ts/core/stores";
import { SeededRandom, VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { Requests as Traffic } from "../../../../../test/support/stores/requests.ts";
import { openContainer } from "../../../src/connection/open-container.ts";
import type { Group } from "../../../src/fetching/membership/members.ts";
import { Membership } from "../../../src/fetching/membership/membership.ts";
import type { RequestInfo } from "../../../src/service/call.ts";
import { Service } from "../../../src/service/service.ts";
import { settingsFor } from "../../connection/fixture.ts";
import { ProcessClock } from "./process-clock.ts";

export const LEASE_MS = 30_000;
export const BEAT_MS = 9_000;

/** How often an idle process asks the store. */
export const POLL_MS = 1_000;

export const TURNS: Group = { queue: "orch_queue", asks: '"all"' };
export const WORK: Group = { queue: "worker_queue", asks: '[{"kind":"any"},true]' };

export interface ProcessOptions {
  readonly groups?: readonly Group[];
  readonly clockOffsetMs?: number;
}

export class Process {
  readonly clock: ProcessClock;
  readonly membership: Membership;
  readonly requests: Service;
  readonly warnings: string[] = [];
  readonly log: RequestInfo[] = [];
  readonly #groups: readonly Group[];
  /** False while it has no room for more. */
  isAsking = true;

  constructor(fleet: Fleet, container: ConstructorParameters<typeof Service>[0], options: ProcessOptions) {
    const clock = new ProcessClock(fleet.clock, options.clockOffsetMs);
    const random = new SeededRandom(`process ${fleet.processes.length}`);
    this.clock = clock;
    this.requests = new Service(container, {
      clock,
      random,
      onRequest: (info) => this.log.push(info),
      processes: systemProcesses,
      onWarning: () => {},
    });
    this.#groups = options.groups ?? [TURNS, WORK];
    this.membership = new Membership({
      requests: this.requests,
      clock,
      random,
      leaseMs: LEASE_MS,
      beatMs: BEAT_MS,
      onWarning: (message) => this.warnings.push(message),
    });
  }

  /** How many processes it takes for its peer group, itself among them. */
  get teamSize(): number {
    return this.membership.peerGroup().peers.length;
  }

  ask(): void {
    if (!this.clock.isRunning || !this.isAsking) return;
    for (const group of this.#groups) this.membership.noteAsked(group);
  }
}

export class Fleet implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly emulator: CosmosEmulator;
  readonly processes: Process[] = [];
  readonly #traffic = new Traffic();
  readonly #opened: AsyncDisposable[] = [];

  private constructor(clock: VirtualClock, emulator: CosmosEmulator) {
    this.clock = clock;
    this.emulator = emulator;
  }

  static async start(): Promise<Fleet> {
    // From the present on, because requests carry the true time, and the endpoint refuses what is far off.
    const clock = new VirtualClock(Date.now());
    const now = (): number => clock.now();
    return new Fleet(clock, await CosmosEmulator.start({ port: 0, now }));
  }

  /** Starts a process with a connection of its own; time does not move. */
  async join(options: ProcessOptions = {}): Promise<Process> {
    const { clock } = this;
    const opened = await openContainer(settingsFor(this.emulator, { clock }), (request, next) =>
      this.#traffic.await(next(request)),
    );
    this.#opened.push(opened);
    const process = new Process(this, opened.container, options);
    this.processes.push(process);
    return process;
  }

  /** A new fleet of so many, which know each other. */
  async settled(count: number): Promise<readonly Process[]> {
    for (let n = 0; n < count; n++) await this.join();
    await this.advance(3 * BEAT_MS);
    return this.processes;
  }

  /** Moves time in steps of a poll; every process asks in each of them. */
  async advance(ms: number, afterEach: () => void = () => {}): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += POLL_MS) {
      for (const process of this.processes) process.ask();
      const endMs = this.clock.now() + POLL_MS;
      await this.#settle();
      while ((this.clock.nextDueMs ?? endMs) < endMs) {
        await this.clock.advance(Math.max(0, (this.clock.nextDueMs ?? endMs) - this.clock.now()));
        await this.#settle();
      }
      await this.clock.advance(endMs - this.clock.now());
      await this.#settle();
      afterEach();
    }
  }

  /** Number of members that each process knows. */
  get teamSizes(): readonly number[] {
    return this.processes.map(({ teamSize }) => teamSize);
  }

  async #settle(): Promise<void> {
    await this.clock.settle();
    while (this.#traffic.inFlight > 0) {
      await this.#traffic.idle();
      await this.clock.settle();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#opened) await opened[Symbol.asyncDispose]();
    await this.emulator[Symbol.asyncDispose]();
  }
}
