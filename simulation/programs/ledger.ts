/** The record of what activities did, as the outside world saw it. It outlives the processes that ran them. */
import type { ActivityContext } from "@duroxide-ts/core";
import type { Machine } from "../world/machine.ts";
import { programOf } from "./step.ts";

/** One run of an activity. */
export interface Run {
  /** Instance, execution and event of the attempt. An execution that was begun by hand repeats events of an earlier one. */
  readonly key: string;
  readonly session: string | undefined;
  /** The key of its limits. */
  readonly limit: string | undefined;
  /** Number of the delivery, from 1, as the store counts them. */
  readonly attempt: number;
  readonly machine: Machine;
  readonly atMs: number;
}

export interface Begun {
  /** Number of the attempt of its call, from 1; a second run of an attempt has its number. */
  readonly attempt: number;
  /** Notes the end of the run. */
  readonly end: () => void;
}

export interface LedgerOptions {
  readonly nowMs: () => number;
  readonly onBegin: (run: Run) => void;
  readonly onEnd: (run: Run) => void;
}

/** The session and the key that hold an activity back. */
interface Held {
  readonly session?: string | undefined;
  readonly limit?: string | undefined;
}

/** The notes about one store. */
interface Entries {
  /** Attempts that were begun, by call. */
  readonly attempts: Map<string, readonly string[]>;
  readonly detached: Set<string>;
}

export class Ledger {
  #entries = copyOf();
  #saved = copyOf();
  /** Processes that have a store open that is gone. What they do is not of the store that took its place. */
  readonly #retired = new Set<Machine>();
  readonly #options: LedgerOptions;
  readonly #mended = new Set<string>();
  #runs = 0;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  get runs(): number {
    return this.#runs;
  }

  /** Detached instances that must run: a client has read their ids in a result (drop.ts). */
  get detached(): ReadonlySet<string> {
    return this.#entries.detached;
  }

  noteDetached(machine: Machine, instanceIds: readonly string[]): void {
    if (this.#retired.has(machine)) return;
    for (const instanceId of instanceIds) this.#entries.detached.add(instanceId);
  }

  /** A copy of the store is kept. */
  save(): void {
    this.#saved = copyOf(this.#entries);
  }

  /** Another store took the place of the one that these processes have open: the copy, or one with nothing in it. */
  goOn(from: "copy" | "nothing", retired: readonly Machine[]): void {
    this.#entries = from === "copy" ? copyOf(this.#saved) : copyOf();
    for (const machine of retired) this.#retired.add(machine);
  }

  /** Makes the fatal work of the program succeed from now on. */
  mend(program: string): void {
    this.#mended.add(program);
  }

  isMended(instanceId: string): boolean {
    return this.#mended.has(programOf(instanceId));
  }

  begin(ctx: ActivityContext, machine: Machine, { session, limit }: Held = {}): Begun {
    const { callKey, idempotencyKey, instanceId, executionId } = ctx;
    this.#runs++;
    if (this.#retired.has(machine)) return { attempt: 1, end: () => {} };
    const event = idempotencyKey.slice(idempotencyKey.lastIndexOf(":") + 1);
    const { nowMs, onBegin, onEnd } = this.#options;
    const run: Run = {
      key: `${instanceId}:${executionId}:${event}`,
      session,
      limit,
      attempt: ctx.attempt,
      machine,
      atMs: nowMs(),
    };
    onBegin(run);
    const { attempts: known } = this.#entries;
    const before = known.get(callKey) ?? [];
    const attempts = before.includes(idempotencyKey) ? before : [...before, idempotencyKey];
    known.set(callKey, attempts);
    return { attempt: attempts.indexOf(idempotencyKey) + 1, end: () => onEnd(run) };
  }
}

function copyOf(entries?: Entries): Entries {
  return { attempts: new Map(entries?.attempts), detached: new Set(entries?.detached) };
}
