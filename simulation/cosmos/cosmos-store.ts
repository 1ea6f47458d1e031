/** The Cosmos DB provider on the local endpoint, both in this process, with what lies between them. */
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { InProcessEndpoint } from "@duroxide-ts/cosmos-emulator";
import type { Document } from "../../packages/cosmos/test/invariants/documents.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import type { ObserverFaults } from "../faults/observers.ts";
import type { Settings } from "../settings.ts";
import { DecodedEvents } from "../store/decoded-events.ts";
import type { Connection, Role, SimulatedStore, Stored } from "../store/simulated-store.ts";
import { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { ProcessTable } from "../world/process-table.ts";
import type { World } from "../world/world.ts";
import { Link } from "./link.ts";
import { PartitionTroubles } from "./partition-troubles.ts";
import { RequestDeaths } from "./request-deaths.ts";
import { kindOf } from "./request-kind.ts";
import { Rules } from "./rules.ts";
import { ServiceWeather } from "./service-weather.ts";
import { SlowPieces } from "./slow-pieces.ts";
import { StagingWatch } from "./staging-watch.ts";
import { StoredDocuments } from "./stored-documents.ts";
import { transportOf } from "./transport.ts";

export const NAMES = { database: "simulation", container: "simulation" } as const;

export class CosmosStore implements SimulatedStore {
  readonly #world: World;
  readonly #settings: Settings;
  readonly #endpoint: InProcessEndpoint;
  readonly #links = new Map<Link, Role>();
  readonly #weather: ServiceWeather;
  readonly #troubles: PartitionTroubles;
  readonly #log: FaultLog;
  readonly #rules: Rules;
  readonly #deaths: RequestDeaths;
  readonly #slowPieces: SlowPieces;
  readonly #stagings = new StagingWatch();
  readonly #decoded = new DecodedEvents();
  readonly #observers: ObserverFaults;
  readonly #processes: ProcessTable;
  /** Documents by their texts, which name the version: most are as they were at the last look. */
  #parsed: ReadonlyMap<string, Document> = new Map();
  #isBad = false;

  constructor(world: World, settings: Settings, faultLog: FaultLog, observers: ObserverFaults) {
    this.#observers = observers;
    this.#processes = new ProcessTable(Chance.of(world.seed, "process table"));
    this.#world = world;
    this.#settings = settings;
    const chance = Chance.of(world.seed, "endpoint");
    this.#endpoint = new InProcessEndpoint({
      now: () => world.nowMs,
      monotonicMs: () => world.nowMs,
      newId: () => chance.uuid(),
      random: () => chance.next(),
      wait: (delayMs) =>
        new Promise((resolve) => {
          world.schedule(delayMs, undefined, "endpoint", resolve);
        }),
      seed: chance.below(2 ** 31),
      physicalPartitions: settings.physicalPartitions,
      requestLogSize: 0,
      onFailure: (error) => world.fail(error),
    });
    this.#log = faultLog;
    this.#rules = new Rules(this.#endpoint, faultLog);
    this.#weather = new ServiceWeather(this.#rules, settings, Chance.of(world.seed, "weather"));
    this.#deaths = new RequestDeaths(Chance.of(world.seed, "deaths"));
    this.#slowPieces = new SlowPieces(world, faultLog, Chance.of(world.seed, "slow pieces"));
    this.#troubles = new PartitionTroubles({
      world,
      endpoint: this.#endpoint,
      names: NAMES,
      enabled: settings.faults,
      log: faultLog,
      rules: this.#rules,
      chance: Chance.of(world.seed, "partitions"),
      cut: (forMs) => this.#cut(forMs),
      dieSoon: () => this.#deaths.prepare(),
    });
  }

  async connect(machine: Machine, role: Role): Promise<Connection> {
    const link = new Link(Chance.of(this.#world.seed, `link ${machine.name}`));
    this.#links.set(link, role);
    link.weather = this.#weather.ofLink(role, this.#isBad);
    machine.onDeath(() => this.#links.delete(link));
    const provider = await CosmosProvider.connectThrough(
      {
        endpoint: this.#endpoint.endpoint,
        key: this.#endpoint.key,
        ...NAMES,
        clock: machine,
        random: Chance.of(this.#world.seed, `provider ${machine.name}`),
        processes: this.#processes.of(machine),
        membership: this.#settings.membership,
        pollIntervalMs: this.#settings.pollIntervalMs,
        requestTimeoutMs: this.#settings.requestTimeoutMs,
        onWarning: this.#observers
          .of(machine)
          .call((message: string) => this.#world.trace.add(`${machine.name} warning ${message}`)),
      },
      transportOf(
        {
          world: this.#world,
          endpoint: this.#endpoint,
          onHit: (fault, request) => this.#log.add(fault, kindOf(request)),
          onTaken: (request) => this.#rules.taken(request),
          fateOf: (sender, request) => this.#deaths.fateOf(sender, request),
          holdUp: (sender, request) => this.#slowPieces.holdUp(sender, request),
          onAnswer: (request, status) => this.#stagings.answered(request, status),
        },
        machine,
        link,
      ),
    );
    return { provider, close: () => provider.close() };
  }

  beginFaults(): void {
    this.#isBad = true;
    this.#setLinks();
    this.#weather.rise();
    if (this.#settings.faults.has("death-at-batch")) this.#deaths.begin();
    if (this.#settings.faults.has("slow-pieces")) this.#slowPieces.begin();
  }

  endFaults(): void {
    this.#isBad = false;
    this.#setLinks();
    this.#weather.settle();
    this.#deaths.clear();
    this.#slowPieces.end();
    for (const link of this.#links.keys()) link.isCut = false;
  }

  #setLinks(): void {
    for (const [link, role] of this.#links) link.weather = this.#weather.ofLink(role, this.#isBad);
  }

  trouble(): string | undefined {
    return this.#troubles.next();
  }

  /** Never. */
  onChange(): void {}

  read(): Stored {
    const before = this.#parsed;
    const parsed = this.#endpoint
      .items(NAMES)
      .map((text) => [text, before.get(text) ?? (JSON.parse(text) as Document)] as const);
    this.#parsed = new Map(parsed);
    return new StoredDocuments(
      parsed.map(([, document]) => document),
      this.#decoded,
    );
  }

  damage(): readonly string[] {
    return this.#stagings.violations;
  }

  async close(): Promise<void> {
    await this.#endpoint[Symbol.asyncDispose]();
  }

  /** A part of the processes loses its connections, or all of them do. */
  #cut(forMs: number): void {
    const chance = this.#world.chance;
    const all = chance.happens(0.3);
    const cut = [...this.#links.keys()].filter(() => all || chance.happens(0.5));
    for (const link of cut) link.isCut = true;
    this.#world.schedule(forMs, undefined, "mended", () => {
      for (const link of cut) link.isCut = false;
    });
  }
}
