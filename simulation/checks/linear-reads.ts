/**
 * Whether what clients do and read is linearizable: whether each call can be given one instant between its begin and its
 * end, so that all of them, in the order of these instants, see what one instance would show that takes its steps.
 *
 * The state of an instance is a position that only grows (positions.ts). A read is true at a range of positions, from
 * `from` to `to`. That all reads fit is the same as: no read ended before another one began, and has a `from` above the
 * `to` of the other.
 *
 * - If there is an order, a read that ended earlier comes earlier, at a position of at least its `from`; the later one
 *   comes at that position or above, and at its `to` or below. So no such pair exists.
 * - If there is no such pair, give each read the highest `from` among itself and the reads that had ended when it began.
 *   That is at most its own `to`, because no pair contradicts, and at least its own `from`. A read that ended before
 *   another one began gets no higher position, because what precedes the first precedes the second. Ordered by position,
 *   and by their begin where it is equal, they obey the order of real time, and positions only grow.
 *
 * - linear-reads.R1: Reads of one scope fit one order. On SQLite, and on Cosmos DB without replicas that lag behind,
 *   the scope is all processes; otherwise one process, which knows how far it has seen, after a failover too
 *   (docs/decisions/cosmos-replicas.md).
 * - linear-reads.R2: No read shows a value that the program never has.
 * - linear-reads.R3: Nothing is seen of a call before it began: no instance before its start, no position behind the
 *   step that takes a message before the message was sent, no cancelled end before the cancellation. That what was
 *   accepted has an effect is for the end (programs/expected.ts). A program that an operator changes is at an execution
 *   (positions.ts).
 * - linear-reads.R4: Between the answer to a suspension and the begin of its end the position changes once at most: a
 *   turn that holds its lock at the suspension goes on (docs/reference/provider-contract.md §15.2).
 */
import type { OrchestrationStatus } from "@duroxide-ts/core";
import { isDeleted, type Program, programOf } from "../programs/step.ts";
import { type ListedRow, type ListedStatus, type Positions, positionsOf, type Range } from "./positions.ts";

interface Read {
  readonly scope: string;
  readonly range: Range;
  readonly endedAtStep: number;
  readonly shown: string;
}

interface NewRead {
  readonly process: string;
  readonly begunAtStep: number;
  readonly range: Range;
  readonly shown: string;
}

interface Instance {
  readonly positions: Positions;
  /** No operator deletes it. */
  readonly stays: boolean;
  readonly reads: Read[];
  isStarted: boolean;
  /** Number of messages that have been sent, or may have been. */
  sent: number;
  isCancelled: boolean;
}

/** An instance and its row in a list. */
export interface ListedInstance {
  readonly instanceId: string;
  readonly row?: ListedRow;
}

export type Scope = "processes" | "one process";

export interface LinearReadsOptions {
  readonly across: Scope;
  /** Everything that clients do may have been done before, in a store that was put in the place of this one. */
  readonly isContinued?: boolean;
  /** Counts what happens; it tells what came before what at one instant. */
  readonly step: () => number;
  readonly onViolation: (violation: string) => void;
}

export class LinearReads {
  readonly #options: LinearReadsOptions;
  readonly #instances: ReadonlyMap<string, Instance>;

  constructor(programs: readonly Program[], options: LinearReadsOptions) {
    this.#options = options;
    const { isContinued = false } = options;
    this.#instances = new Map(
      programs.map((program) => [
        program.instanceId,
        {
          positions: positionsOf(program),
          stays: !isDeleted(program),
          reads: [],
          isStarted: isContinued,
          sent: isContinued ? program.messages.length : 0,
          isCancelled: isContinued || program.start.timeoutMs !== undefined,
        },
      ]),
    );
  }

  get isAcrossProcesses(): boolean {
    return this.#options.across === "processes";
  }

  /** A call that starts it begins. */
  starting(instanceId: string): void {
    const instance = this.#instances.get(instanceId);
    if (instance !== undefined) instance.isStarted = true;
  }

  /** A call that sends its next message begins. */
  sending(instanceId: string, message: number): void {
    const instance = this.#instances.get(instanceId);
    if (instance !== undefined) instance.sent = Math.max(instance.sent, message + 1);
  }

  cancelling(instanceId: string): void {
    const instance = this.#instances.get(instanceId);
    if (instance !== undefined) instance.isCancelled = true;
  }

  async status(
    instanceId: string,
    process: string,
    read: () => Promise<OrchestrationStatus>,
  ): Promise<OrchestrationStatus> {
    return this.#observe(instanceId, process, read, (positions, status) => positions.ofStatus(status));
  }

  async entry(
    instanceId: string,
    process: string,
    key: string,
    read: () => Promise<unknown>,
  ): Promise<unknown> {
    return this.#observe(instanceId, process, read, (positions, value) => positions.ofEntry(key, value));
  }

  async entries(
    instanceId: string,
    process: string,
    read: () => Promise<ReadonlyMap<string, unknown>>,
  ): Promise<unknown> {
    const inObject = async (): Promise<Readonly<Record<string, unknown>>> => Object.fromEntries(await read());
    return this.#observe(instanceId, process, inObject, (positions, entries) => positions.ofEntries(entries));
  }

  /** A read of each instance: pages are read one after the other, so a list is not true at one instant. */
  async list(
    status: ListedStatus | undefined,
    process: string,
    read: () => Promise<readonly ListedInstance[]>,
  ): Promise<void> {
    const begunAtStep = this.#options.step();
    const rows = await read();
    const ids = rows.map(({ instanceId }) => instanceId);
    const listed = new Set(ids);
    const twice = ids.find((id, at) => ids.indexOf(id) !== at && this.#instances.get(programOf(id))?.stays);
    if (twice !== undefined) this.#violate(twice, `${process} listed it twice`);
    for (const [instanceId, instance] of this.#instances) {
      const hasIt = listed.has(instanceId);
      const range = instance.positions.ofList(hasIt, status);
      const shown = `a list of ${status ?? "all"} ${hasIt ? "with" : "without"} it`;
      this.#note(instanceId, instance, { process, begunAtStep, range, shown });
    }
    for (const row of rows) this.#noteRow(row, process, begunAtStep);
  }

  #noteRow({ instanceId, row }: ListedInstance, process: string, begunAtStep: number): void {
    const instance = this.#instances.get(instanceId);
    if (instance === undefined || row === undefined) return;
    const shown = `a row ${JSON.stringify(row)}`;
    const range = instance.positions.ofRow(row);
    if (range !== undefined) this.#note(instanceId, instance, { process, begunAtStep, range, shown });
    else this.#violate(instanceId, `${process} listed ${shown}, which the program never has`);
  }

  async #observe<T>(
    instanceId: string,
    process: string,
    read: () => Promise<T>,
    rangeOf: (positions: Positions, result: T) => Range | undefined,
  ): Promise<T> {
    const begunAtStep = this.#options.step();
    const result = await read();
    const instance = this.#instances.get(instanceId);
    if (instance === undefined) return result;
    const shown = JSON.stringify(result)?.slice(0, 200) ?? "nothing";
    const range = rangeOf(instance.positions, result);
    if (range === undefined) {
      this.#violate(instanceId, `${process} read ${shown}, which the program never has`);
    } else this.#note(instanceId, instance, { process, begunAtStep, range, shown });
    return result;
  }

  #note(instanceId: string, instance: Instance, { process, begunAtStep, range, shown }: NewRead): void {
    const { step, across } = this.#options;
    this.#checkCauses(instanceId, instance, range, shown);
    const scope = across === "processes" ? "" : process;
    const newer = instance.reads.find(
      (each) => each.scope === scope && each.endedAtStep < begunAtStep && each.range.from > range.to,
    );
    if (newer !== undefined) {
      this.#violate(instanceId, `${process} read ${shown} after a read of ${newer.shown} had ended`);
    }
    instance.reads.push({ scope, range, endedAtStep: step(), shown });
  }

  /** linear-reads.R3. */
  #checkCauses(instanceId: string, instance: Instance, { from }: Range, shown: string): void {
    const { positions, isStarted, sent, isCancelled } = instance;
    if (from >= 0 && !isStarted) this.#violate(instanceId, `${shown} was read before it was started`);
    const isCancelledEnd = from === positions.end && /"status":"(Failed|Cancelled)"/.test(shown);
    if (isCancelledEnd && !isCancelled)
      this.#violate(instanceId, `${shown} was read before it was cancelled`);
    if (!isCancelledEnd && from >= positions.takes(sent)) {
      this.#violate(instanceId, `${shown} was read before message ${sent} was sent`);
    }
  }

  #violate(instanceId: string, violation: string): void {
    this.#options.onViolation(`${instanceId}: ${violation}`);
  }
}
