/**
 * Owns the instance's key-value entries as this execution reads them: the entries of earlier executions with the sets
 * and clears of this one (docs/reference/runtime-semantics.md §2.13). Changes take effect here at once and are recorded
 * in call order, so a replay reaches the same state.
 */
import type { KvEntry } from "../../contract/provider.ts";
import { isAnswerKey } from "../../wire/question.ts";
import type { KvCell } from "../calls/key-values.ts";

export class KvState {
  readonly #cells = new Map<string, KvCell>();
  /** Answers to questions, which are no entries for the code; only their times are read. */
  readonly answers: Map<string, KvCell> = new Map();

  constructor(snapshot: ReadonlyMap<string, KvEntry>) {
    for (const [key, { value, lastUpdatedAtMs }] of snapshot)
      if (isAnswerKey(key)) this.setAnswer(key, lastUpdatedAtMs);
      else this.#cells.set(key, { value, lastUpdatedAtMs });
  }

  get size(): number {
    return this.#cells.size;
  }

  /** UTF-16 units of all values, as a measure of memory. */
  get valueLength(): number {
    let length = 0;
    for (const { value } of this.#cells.values()) length += value.length;
    return length;
  }

  /** The entries with which the next execution begins. */
  entries(): ReadonlyMap<string, KvEntry> {
    return this.answers.size === 0 ? this.#cells : new Map([...this.#cells, ...this.answers]);
  }

  /** The value is in the store only. */
  setAnswer(key: string, nowMs: number): KvCell {
    const cell = { value: "", lastUpdatedAtMs: nowMs };
    this.answers.set(key, cell);
    return cell;
  }

  /** Keys of at most `most` answers that were given before the time. */
  answersBefore(cutoffMs: number, most: number): string[] {
    const old = [...this.answers].filter(([, { lastUpdatedAtMs }]) => lastUpdatedAtMs < cutoffMs);
    return old.slice(0, most).map(([key]) => key);
  }

  has(key: string): boolean {
    return this.#cells.has(key);
  }

  get(key: string): string | undefined {
    return this.#cells.get(key)?.value;
  }

  set(key: string, value: string, nowMs: number): KvCell {
    const cell = { value, lastUpdatedAtMs: nowMs };
    this.#cells.set(key, cell);
    return cell;
  }

  delete(key: string): void {
    this.#cells.delete(key);
  }

  clear(): void {
    this.#cells.clear();
  }

  /** Ascending by UTF-16 code units, the same on every machine. */
  keys(): string[] {
    return [...this.#cells.keys()].sort();
  }

  keysUpdatedBefore(cutoffMs: number): string[] {
    return this.keys().filter((key) => (this.#cells.get(key)?.lastUpdatedAtMs ?? cutoffMs) < cutoffMs);
  }
}
