/** Deaths, freezes, deployments and wrong clocks, one at a time, and what the store adds. */

import { CLOCK_FAULTS, type Fault, type ProcessFault } from "../faults/fault.ts";
import type { FaultLog } from "../faults/fault-log.ts";
import { VERSIONS } from "../programs/carry-out.ts";
import type { Settings } from "../settings.ts";
import { Chance } from "../world/chance.ts";
import type { World } from "../world/world.ts";
import type { ClientHost } from "./client-host.ts";
import type { Server } from "./server.ts";

export interface TroublesParts {
  readonly world: World;
  readonly settings: Settings;
  readonly servers: readonly Server[];
  readonly clients: readonly ClientHost[];
  /** A trouble of the store, which logs what it hits; its name, `undefined` if none is enabled. */
  readonly ofStore: () => string | undefined;
  readonly log: FaultLog;
}

/** Errors of clocks of servers whose synchronisation fails, ms. */
const SKEWS_MS = [-3_000, -700, -100, 0, 100, 700, 3_000] as const;

/** Errors of the speed of clocks of virtual machines at worst, per mille. */
const DRIFTS_PER_MILLE = [-50, -5, -1, 1, 5, 50] as const;

/** Changes of a clock that is set when it is found wrong, ms. A lock that is taken before lasts so much longer. */
const JUMPS_MS = [-60_000, -10_000, -1_000, 1_000, 10_000, 60_000] as const;

export class Troubles {
  readonly #parts: TroublesParts;
  readonly #chance: Chance;
  readonly #faults: Set<Fault>;
  #isOver = false;

  constructor(parts: TroublesParts) {
    this.#parts = parts;
    this.#chance = Chance.of(parts.world.seed, "troubles");
    this.#faults = new Set(parts.settings.faults);
  }

  begin(): void {
    const { world, settings } = this.#parts;
    world.schedule(this.#chance.below(settings.calmMs), undefined, "trouble", () => {
      if (this.#isOver) return;
      this.#next();
      this.begin();
    });
  }

  /** Processes stand still too from now on, which hits something also when all programs have ended. */
  addFreezes(): void {
    this.#faults.add("freeze");
  }

  /** Makes all clocks right and all code the newest. What is frozen wakes by itself. */
  end(): void {
    this.#isOver = true;
    const { servers, clients } = this.#parts;
    for (const each of [...servers, ...clients]) each.machine?.setRight();
    for (const server of servers) {
      if (server.versions.length < VERSIONS.length) server.deploy(VERSIONS);
    }
  }

  #next(): void {
    const { settings, servers, clients, ofStore, log, world } = this.#parts;
    const chance = this.#chance;
    const server = servers[chance.below(servers.length)];
    const client = clients[chance.below(clients.length)];
    const kinds: [ProcessFault, () => void][] = [];
    const { leaseMs } = settings;
    const faults = this.#faults;
    if (faults.has("kill")) kinds.push(["kill", () => server?.kill()]);
    if (faults.has("freeze")) {
      kinds.push(["freeze", () => server?.freeze(chance.pick([leaseMs / 2, leaseMs + 500, 3 * leaseMs]))]);
    }
    if (faults.has("deploy")) {
      kinds.push(["deploy", () => server?.deploy(chance.happens(0.5) ? VERSIONS : [VERSIONS[0]])]);
    }
    const host = chance.pick([server, server, client]);
    const clock = host?.machine;
    const setClock = (skewsMs: readonly [number, ...number[]]): void => {
      if (clock !== undefined) clock.skewMs = chance.pick(skewsMs);
    };
    if (faults.has("skew")) kinds.push(["skew", () => setClock(SKEWS_MS)]);
    if (faults.has("jump")) kinds.push(["jump", () => setClock(JUMPS_MS)]);
    if (faults.has("drift")) {
      kinds.push([
        "drift",
        () => {
          if (clock !== undefined) clock.driftPerMille = chance.pick(DRIFTS_PER_MILLE);
        },
      ]);
    }
    if (faults.has("client-kill")) kinds.push(["client-kill", () => client?.kill()]);
    const storeShare = chance.happens(0.5) || kinds.length === 0;
    const name = storeShare ? ofStore() : undefined;
    if (name !== undefined) {
      world.trace.add(`trouble ${name}`);
      return;
    }
    const [first, ...others] = kinds;
    if (first === undefined) return;
    const [own, begin] = chance.pick([first, ...others]);
    const isOfClient = own === "client-kill" || (isOfClock(own) && host === client);
    log.add(own, isOfClient ? "client" : "server");
    world.trace.add(`trouble ${own}`);
    begin();
  }
}

const isOfClock = (fault: Fault): boolean => CLOCK_FAULTS.includes(fault);
