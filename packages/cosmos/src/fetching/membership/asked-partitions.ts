/**
 * The physical partitions that a busy process queries, and the rows there that it leaves to another process
 * (docs/decisions/cosmos-finding-work.md).
 *
 * - asked-partitions.AP1: A process whose turn it is (turns.ts) tries what it finds at once. The others query the
 *   partition once in an interval, and leave a row until it has been visible for 200 ms. So no row depends on whether
 *   the process whose turn it is lives, searches or has room.
 * - asked-partitions.AP2: A process that finds a row which was visible for longer queries the partition like its own
 *   for an interval, because the process whose turn it is does not keep up.
 * - asked-partitions.AP3: A process that only may lock certain rows, because it owns sessions, queries all partitions.
 * - asked-partitions.AP4: With one partition, or one process, every process queries it and tries every row at once.
 */
import { hasPassed } from "@duroxide-ts/core/stores";
import { HEAD_START_MS } from "../../memory/waits.ts";
import type { Members } from "./members.ts";
import { hasTurn, takesTurns } from "./turns.ts";

export interface AskedPartitionsOptions {
  readonly members: Members;
  readonly intervalMs: number;
  /** asked-partitions.AP3. */
  readonly asksAll: () => boolean;
}

export class AskedPartitions {
  readonly #options: AskedPartitionsOptions;
  /** Time of the last query, ms since the epoch, by partition. */
  readonly #askedMs = new Map<string, number>();
  /** Times until which this process helps, ms since the epoch, by partition. */
  readonly #helpsUntilMs = new Map<string, number>();

  constructor(options: AskedPartitionsOptions) {
    this.#options = options;
  }

  /** Whether to query the partition, out of so many. */
  isAsked(range: string, ranges: number, nowMs: number): boolean {
    const { intervalMs, asksAll } = this.#options;
    const askedMs = this.#askedMs.get(range) ?? Number.NEGATIVE_INFINITY;
    const isAsked =
      this.#isOwn(range, ranges, nowMs) ||
      (this.#helpsUntilMs.get(range) ?? 0) > nowMs ||
      hasPassed(nowMs, askedMs, intervalMs) ||
      asksAll();
    if (isAsked) this.#askedMs.set(range, nowMs);
    return isAsked;
  }

  /** The time before which rows of the partition that became visible then are left to another process, ms since the epoch. */
  leftUntilMs(range: string, ranges: number, visibleAtMs: number, nowMs: number): number | undefined {
    if (this.#isOwn(range, ranges, nowMs)) return undefined;
    const untilMs = visibleAtMs + HEAD_START_MS;
    if (untilMs > nowMs) return untilMs;
    this.#helpsUntilMs.set(range, nowMs + this.#options.intervalMs);
    return undefined;
  }

  #isOwn(range: string, ranges: number, nowMs: number): boolean {
    const { members, intervalMs } = this.#options;
    const peerGroup = members.peerGroup();
    return (
      !takesTurns(peerGroup, ranges) || hasTurn(peerGroup, range, ranges, Math.floor(nowMs / intervalMs))
    );
  }
}
