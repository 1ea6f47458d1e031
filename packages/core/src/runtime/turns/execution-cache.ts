/**
 * Executions kept between turns, also one that has continued as new until the next one begins. Whether an entry still
 * has the history of the store, its users check by its tag (orchestration-dispatcher.O4, fused-turns.F1).
 *
 * - execution-cache.EX1: An execution has one owner. `take` transfers it to the caller, so two turns never run in one
 *   memory.
 * - execution-cache.EX2: An execution that the cache evicts, replaces or forgets is disposed: its code may still
 *   continue, and must not record anything.
 * - execution-cache.EX3: Number and estimated size are bounded; what was put longest ago is evicted first. What a turn
 *   uses is taken and put again, so this is the least recently used execution.
 */
import { ChurningMap } from "../../collections/churning-map.ts";
import { invariant } from "../../errors/invariant.ts";
import type { ExecutionMemory } from "../../replay/turn-result.ts";

export interface CacheLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
}

const MEGABYTE = 1024 * 1024;

/** A twentieth of the memory that the process may use, in bytes, within limits: a small container keeps less. */
export function shareOfMemory(): number {
  const share = process.availableMemory() / 20;
  return Math.round(Math.min(Math.max(share, 16 * MEGABYTE), 256 * MEGABYTE));
}

/** An execution, and the tag of the history that it has reached. */
export interface CachedExecution {
  readonly historyTag: string;
  readonly memory: ExecutionMemory;
}

interface Entry extends CachedExecution {
  readonly bytes: number;
}

export class ExecutionCache {
  readonly #limits: CacheLimits;
  /** Insertion order is age. */
  readonly #entries = new ChurningMap<string, Entry>();
  #bytes = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  tagOf(instanceId: string): string | undefined {
    return this.#entries.get(instanceId)?.historyTag;
  }

  /** Whether the code of the execution is in memory and has not ended. */
  isRunning(instanceId: string): boolean {
    const entry = this.#entries.get(instanceId);
    return entry !== undefined && entry.memory.index.terminal === undefined;
  }

  take(instanceId: string): ExecutionMemory | undefined {
    return this.takeWithTag(instanceId)?.memory;
  }

  takeWithTag(instanceId: string): CachedExecution | undefined {
    const entry = this.#entries.get(instanceId);
    if (entry === undefined) return undefined;
    this.#entries.delete(instanceId);
    this.#bytes -= entry.bytes;
    invariant(this.#bytes >= 0, "execution-cache.EX3");
    return entry;
  }

  put(instanceId: string, historyTag: string, memory: ExecutionMemory): void {
    invariant(this.#entries.get(instanceId)?.memory.live !== memory.live, "execution-cache.EX1");
    this.forget(instanceId);
    const bytes = estimateBytes(memory);
    this.#entries.set(instanceId, { historyTag, memory, bytes });
    this.#bytes += bytes;
    this.#shrink();
  }

  forget(instanceId: string): void {
    this.take(instanceId)?.live.dispose();
  }

  clear(): void {
    for (const instanceId of this.#entries.keys()) this.forget(instanceId);
  }

  #shrink(): void {
    while (this.#entries.size > this.#limits.maxCount || this.#bytes > this.#limits.maxBytes) {
      const oldest = this.#entries.oldestKey;
      if (oldest === undefined) return;
      this.forget(oldest);
    }
  }
}

/** Measured: an execution that waits for one event, and what each further call adds. */
const BYTES_PER_EXECUTION = 5_000;
const BYTES_PER_CALL = 250;

/** Estimates the memory except that of the orchestration's own variables, which cannot be measured. */
function estimateBytes({ index, live }: ExecutionMemory): number {
  const inputLength = index.started?.input.length ?? 0;
  return (
    BYTES_PER_EXECUTION +
    BYTES_PER_CALL * index.scheduleCount +
    2 * (inputLength + live.inputLength + live.kv.valueLength)
  );
}
