/** A new message waits for no other process: the time at which it is taken is that at which it was stored or found. */
import type { FetchedOrchestration } from "@duroxide-ts/core/stores";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { raised, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { Requests as Traffic, UNHURRIED } from "../../../../test/support/stores/requests.ts";
import { commitOf } from "../support/program.ts";
import { Fetching } from "./support/fetching.ts";

const PROCESSES = 4;
const NAMES = Array.from({ length: 8 }, (_, n) => `order-${n}`);

/** A process and an instance: that the process has found it in an answer, or has taken it, and when. */
interface Seen {
  readonly process: number;
  readonly name: string;
  readonly atMs: number;
}

class Fleet implements AsyncDisposable {
  readonly taken: Seen[] = [];
  readonly found: Seen[] = [];
  readonly clock: VirtualClock;
  readonly providers: CosmosProvider[] = [];
  readonly #emulator: CosmosEmulator;
  readonly #traffic = new Traffic();
  readonly #running: Fetching<FetchedOrchestration>[] = [];

  constructor(emulator: CosmosEmulator, clock: VirtualClock) {
    this.#emulator = emulator;
    this.clock = clock;
  }

  /** All processes fetch, and know of each other. */
  static async start(physicalPartitions: number): Promise<Fleet> {
    const clock = new VirtualClock(Date.now());
    const emulator = await CosmosEmulator.start({ port: 0, physicalPartitions, now: () => clock.now() });
    const fleet = new Fleet(emulator, clock);
    for (let process = 0; process < PROCESSES; process++) {
      const provider = await fleet.open(process);
      fleet.providers.push(provider);
      fleet.#running.push(fleet.#fetching(process, provider));
    }
    await fleet.pass(25_000);
    return fleet;
  }

  open(process: number): Promise<CosmosProvider> {
    const { connectionString } = this.#emulator;
    return CosmosProvider.connectThrough(
      { connectionString, clock: this.clock, ...UNHURRIED },
      async (request, next) => {
        const answer = await this.#traffic.await(next(request));
        const isScan = request.headers.has("x-ms-documentdb-partitionkeyrangeid");
        if (isScan) this.#note(this.found, process, namesIn(answer.bodyAsText ?? ""));
        return answer;
      },
    );
  }

  #fetching(process: number, provider: CosmosProvider): Fetching<FetchedOrchestration> {
    const options = { lockTimeoutMs: 30_000, pollTimeoutMs: 30_000 };
    return new Fetching(
      (signal) => provider.fetchOrchestrationItem({ ...options, signal }),
      (fetched) => {
        this.#note(this.taken, process, [fetched.item.instanceId]);
        return provider.ackOrchestrationItem(commitOf(fetched, this.clock.now()));
      },
    );
  }

  #note(list: Seen[], process: number, names: readonly string[]): void {
    for (const name of names) list.push({ process, name, atMs: this.clock.now() });
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    await this.clock.settle();
    await this.#traffic.idle();
    await this.clock.settle();
  }

  async pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += 50) {
      await this.clock.advance(50);
      await this.settle();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#running) await each.stop();
    await Promise.all(this.providers.map((provider) => provider.close()));
    await this.#emulator[Symbol.asyncDispose]();
  }
}

function namesIn(answer: string): readonly string[] {
  return NAMES.filter((name) => answer.includes(`"${name}"`));
}

describe.each([1, 3])("a new message on %i physical partitions", (partitions) => {
  it("is run by the process that stored it, before any time passes", async () => {
    await using fleet = await Fleet.start(partitions);
    for (const [n, name] of NAMES.entries()) {
      const process = n % PROCESSES;
      for (const item of [startItem(name), raised(name, "go")]) {
        fleet.taken.length = 0;
        await fleet.providers[process]?.enqueueForOrchestrator(item);
        await fleet.settle();
        expect(fleet.taken).toEqual([{ process, name, atMs: fleet.clock.now() }]);
      }
      await fleet.pass(350);
    }
  });
});

// On several partitions the process whose turn it is does so (asked-partitions.test.ts).
it("a new message of a process that runs nothing is run by a process that finds it first, before any time passes", async () => {
  await using fleet = await Fleet.start(1);
  await using sender = await fleet.open(PROCESSES);
  for (const name of NAMES) {
    for (const item of [startItem(name), raised(name, "go")]) {
      fleet.found.length = 0;
      fleet.taken.length = 0;
      await sender.enqueueForOrchestrator(item);
      while (fleet.taken.length === 0) await fleet.pass(50);
      const firstMs = fleet.found[0]?.atMs;
      const finders = fleet.found.filter(({ atMs }) => atMs === firstMs);
      expect(fleet.taken).toHaveLength(1);
      expect(finders).toContainEqual(fleet.taken[0]);
      await fleet.pass(350);
    }
  }
});
