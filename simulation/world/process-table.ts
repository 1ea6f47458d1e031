/**
 * Knowledge of the processes of a run: which of the others have ended. In half of the runs all are on one machine of
 * the cluster, where they see each other; otherwise each server has one of its own, so that it sees only itself and
 * those before it. A server's process has the same id each time, as the first process of a container has.
 */
import type { Processes, ProcessIdentity } from "@duroxide-ts/core/stores";
import type { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";

export class ProcessTable {
  readonly #isShared: boolean;
  readonly #machines = new Map<string, Machine>();

  constructor(chance: Chance) {
    this.#isShared = chance.happens(0.5);
  }

  /** The processes as this one sees them. */
  of(machine: Machine): Processes {
    this.#machines.set(machine.name, machine);
    const [server = ""] = machine.name.split(".");
    const own = { space: this.#isShared ? "cluster" : server, pid: 1, began: machine.name };
    return {
      own: () => own,
      hasEnded: ({ space, began }: ProcessIdentity) =>
        space === own.space && this.#machines.get(began)?.isDead !== false,
    };
  }
}
