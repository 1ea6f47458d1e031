/** Deaths and power failures that come at a write or a sync, which then does not happen. */
import type { Machine } from "../world/machine.ts";

interface Doom {
  /** `undefined`: any process. */
  readonly machine: Machine | undefined;
  readonly calls: RegExp;
  /** How many of these calls there are before it. */
  writes: number;
  readonly happen: (call: string) => void;
}

/** The last doom that was asked for counts. */
export class Dooms {
  #next: Doom | undefined;

  clear(): void {
    this.#next = undefined;
  }

  /** At one of the next writes and syncs, after so many others. */
  atWrite(machine: Machine, writes: number, happen: (call: string) => void): void {
    this.#next = { machine, writes, calls: /^(write|sync)/, happen };
  }

  /** At the next write, whichever process makes it. */
  atWriteOfAny(happen: (call: string) => void): void {
    this.#next = { machine: undefined, writes: 0, calls: /^write/, happen };
  }

  /** At the next sync of the log: all of a commit is written. */
  atSync(machine: Machine, happen: (call: string) => void): void {
    this.#next = { machine, writes: 0, calls: /^sync log/, happen };
  }

  /** Whether the machine is still there after the call. */
  survives(machine: Machine | undefined, call: string): boolean {
    const next = this.#next;
    if (next === undefined || machine === undefined || !next.calls.test(call)) return true;
    if (next.machine !== undefined && next.machine !== machine) return true;
    if (next.writes-- > 0) return true;
    this.#next = undefined;
    next.happen(call);
    return false;
  }
}
