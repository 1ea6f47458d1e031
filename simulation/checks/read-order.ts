/**
 * Whether the reads of clients fit one order of events.
 *
 * What a client reads of an instance only grows: it is there, its executions follow each other, its custom status gets
 * higher versions, it ends. Such an object is linearizable if and only if no read that begins after another one has ended
 * sees less. (If: order the reads by what they saw, and those that saw the same by their end; a pair against real time
 * would be a read that began after the end of another one and saw less.) So pairs are compared, and no search is needed.
 *
 * R1. On SQLite this holds for the reads of all processes.
 * R2. On Cosmos DB it holds within a process, whose session tokens go with it; replicas may lag behind for others. A
 *     failover makes the tokens worthless, and the next read may see less (docs/decisions/0036-physical-partitions.md).
 */
import type { OrchestrationStatus } from "@duroxide-ts/core";

interface Read {
  readonly scope: string;
  readonly rank: readonly [ended: number, executionId: number, statusVersion: number];
  readonly endedAtStep: number;
}

export interface ReadOrderOptions {
  readonly across: "processes" | "one process" | "nothing";
  /** Counts what happens; it tells what came before what at one instant. */
  readonly step: () => number;
  readonly onViolation: (violation: string) => void;
}

export class ReadOrder {
  readonly #options: ReadOrderOptions;
  /** The reads of each instance that have ended. */
  readonly #reads = new Map<string, Read[]>();

  constructor(options: ReadOrderOptions) {
    this.#options = options;
  }

  async observe(
    instanceId: string,
    process: string,
    read: () => Promise<OrchestrationStatus>,
  ): Promise<OrchestrationStatus> {
    const { across, step, onViolation } = this.#options;
    if (across === "nothing") return read();
    const begunAtStep = step();
    const status = await read();
    const rank = rankOf(status);
    const scope = across === "processes" ? "" : process;
    const reads = this.#reads.get(instanceId) ?? [];
    const newer = reads.find(
      (each) => each.scope === scope && each.endedAtStep < begunAtStep && compare(each.rank, rank) > 0,
    );
    if (newer !== undefined) {
      onViolation(
        `${instanceId}: ${process} read ${rank.join("/")} after a read of ${newer.rank.join("/")} had ended`,
      );
    }
    reads.push({ scope, rank, endedAtStep: step() });
    this.#reads.set(instanceId, reads);
    return status;
  }
}

function rankOf(status: OrchestrationStatus): Read["rank"] {
  if (status.status === "NotFound") return [0, 0, 0];
  const ended = status.status === "Running" ? 1 : 2;
  return [ended, status.executionId, status.customStatusVersion];
}

function compare(a: Read["rank"], b: Read["rank"]): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
