/**
 * The values that the code of an execution writes to streams: collected in a turn, stored in its commit (docs/decisions/streams.md).
 *
 * - stream-writes.SW1: Only what runs for the first time is collected. What an earlier turn has run is in its commit, so a
 *   replay stores nothing again.
 */
import type { StreamBounds, StreamChange } from "../../contract/streams.ts";

interface Collected {
  readonly values: string[];
  close: boolean;
  readonly bounds: StreamBounds;
}

export class StreamWrites {
  readonly #changes = new Map<string, Collected>();
  /** Names of the streams that this code has closed. */
  readonly #closed = new Set<string>();

  isClosed(stream: string): boolean {
    return this.#closed.has(stream);
  }

  /** stream-writes.SW1 */
  add(stream: string, bounds: StreamBounds, value: string, isReplaying: boolean): void {
    if (!isReplaying) this.#of(stream, bounds).values.push(value);
  }

  close(stream: string, bounds: StreamBounds, isReplaying: boolean): void {
    if (this.#closed.has(stream)) return;
    this.#closed.add(stream);
    if (!isReplaying) this.#of(stream, bounds).close = true;
  }

  /** Returns what was collected since the last call; `undefined` if that is nothing. */
  take(): readonly StreamChange[] | undefined {
    if (this.#changes.size === 0) return undefined;
    const changes = [...this.#changes].map(([stream, change]) => ({ stream, ...change }));
    this.#changes.clear();
    return changes;
  }

  #of(stream: string, bounds: StreamBounds): Collected {
    const known = this.#changes.get(stream);
    if (known !== undefined) return known;
    const change = { values: [], close: false, bounds };
    this.#changes.set(stream, change);
    return change;
  }
}
