/**
 * Pieces of a commit that take seconds to be stored, as where the container has little throughput, so that the lock of
 * the instance is renewed meanwhile. Some of their senders die then, or stand still until the lock is over.
 */
import type { InProcessRequest } from "@duroxide-ts/cosmos-emulator";
import type { FaultLog } from "../faults/fault-log.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import type { World } from "../world/world.ts";
import { storesPiece } from "./staging-watch.ts";

/** Duration of a standstill, ms, beyond the lock of an instance whose commit is staged. */
const STANDS_STILL_MS = 40_000;
/** At least so many pieces are slow, also after the bad time: those of one turn, which may come late. */
const LEAST_SLOW = 6;
/** Most processes struck in one run. A turn whose process dies again and again is blocked. */
const MOST_STRUCK = 2;

export class SlowPieces {
  readonly #world: World;
  readonly #log: FaultLog;
  readonly #chance: Chance;
  readonly #takesMs: number;
  #struck = 0;
  #left = 0;
  #isBad = false;

  constructor(world: World, log: FaultLog, chance: Chance) {
    this.#world = world;
    this.#log = log;
    this.#chance = chance;
    this.#takesMs = chance.pick([1_500, 3_000, 6_000]);
  }

  begin(): void {
    this.#isBad = true;
    this.#left = LEAST_SLOW;
  }

  end(): void {
    this.#isBad = false;
  }

  /** How much longer the request is under way, ms. */
  holdUp(machine: Machine, request: InProcessRequest): number {
    if (!(this.#isBad || this.#left > 0) || !storesPiece(request)) return 0;
    this.#left--;
    this.#log.add("slow-pieces", "batch");
    const fate = this.#chance.pick(["goes on", "goes on", "goes on", "dies", "stands still"] as const);
    if (this.#isBad && fate !== "goes on" && this.#struck < MOST_STRUCK) {
      this.#struck++;
      this.#world.schedule(this.#takesMs / 2, machine, `${fate} at a piece`, () => {
        if (fate === "dies") machine.kill();
        else machine.freeze(STANDS_STILL_MS);
      });
    }
    return this.#takesMs;
  }
}
