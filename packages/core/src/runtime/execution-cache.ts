/**
 * Executions kept between turns, the least recently used given up first. An entry is worth something only while
 * the store still stands at its tag; who takes one out owns it.
 */
import type { ExecutionMemory } from "../replay/turn.ts";

interface Entry {
  readonly historyTag: string;
  readonly memory: ExecutionMemory;
}

export class ExecutionCache {
  readonly #limit: number;
  /** Insertion order is age. */
  readonly #entries = new Map<string, Entry>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  tagOf(instanceId: string): string | undefined {
    return this.#entries.get(instanceId)?.historyTag;
  }

  take(instanceId: string): ExecutionMemory | undefined {
    const entry = this.#entries.get(instanceId);
    this.#entries.delete(instanceId);
    return entry?.memory;
  }

  put(instanceId: string, historyTag: string, memory: ExecutionMemory): void {
    this.forget(instanceId);
    this.#entries.set(instanceId, { historyTag, memory });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.forget(oldest);
  }

  forget(instanceId: string): void {
    this.take(instanceId)?.live.dispose();
  }

  clear(): void {
    for (const instanceId of [...this.#entries.keys()]) this.forget(instanceId);
  }
}
