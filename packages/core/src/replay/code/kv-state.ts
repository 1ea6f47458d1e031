/**
 * Owns the instance's key-value entries as this execution reads them: the entries of earlier executions with the sets
 * and clears of this one (docs/reference/runtime-semantics.md §2.13). Changes take effect here at once and are recorded
 * in call order, so a replay reaches the same state.
 */
import type { KvEntry } from "../../contract/provider.ts";
import { isAnswerKey } from "../../wire/question.ts";
import type { KvCell } from "../calls/key-values.ts";

export class KvState {
  /** Created with its first entry: most executions have none, and thousands are kept in memory. */
  #cells: Map<string, KvCell> | undefined;
  #answers: Map<string, KvCell> | undefined;

  constructor(snapshot: ReadonlyMap<string, KvEntry>) {
    for (const [key, { value, lastUpdatedAtMs }] of snapshot)
      if (isAnswerKey(key)) this.setAnswer(key, lastUpdatedAtMs);
      else this.set(key, value, lastUpdatedAtMs);
  }

  /** Answers to questions, which are no entries for the code; only their times are read. */
  get answers(): ReadonlyMap<string, KvCell> {
    return this.#answers ?? NONE;
  }

  get size(): number {
    return this.#cells?.size ?? 0;
  }

  /** UTF-16 units of all values, as a measure of memory. */
  get valueLength(): number {
    let length = 0;
    for (const { value } of this.#cells?.values() ?? []) length += value.length;
    return length;
  }

  /** The entries with which the next execution begins. */
  entries(): ReadonlyMap<string, KvEntry> {
    const cells = this.#cells ?? NONE;
    return this.answers.size === 0 ? cells : new Map([...cells, ...this.answers]);
  }

  /** The value is in the store only. */
  setAnswer(key: string, nowMs: number): KvCell {
    const cell = { value: "", lastUpdatedAtMs: nowMs };
    this.#answers ??= new Map();
    this.#answers.set(key, cell);
    return cell;
  }

  deleteAnswer(key: string): void {
    this.#answers?.delete(key);
  }

  /** Keys of at most `most` answers that were given before the time. */
  answersBefore(cutoffMs: number, most: number): string[] {
    const old = [...this.answers].filter(([, { lastUpdatedAtMs }]) => lastUpdatedAtMs < cutoffMs);
    return old.slice(0, most).map(([key]) => key);
  }

  has(key: string): boolean {
    return this.#cells?.has(key) === true;
  }

  get(key: string): string | undefined {
    return this.#cells?.get(key)?.value;
  }

  set(key: string, value: string, nowMs: number): KvCell {
    const cell = { value, lastUpdatedAtMs: nowMs };
    this.#cells ??= new Map();
    this.#cells.set(key, cell);
    return cell;
  }

  delete(key: string): void {
    this.#cells?.delete(key);
  }

  clear(): void {
    this.#cells = undefined;
  }

  /** Ascending by UTF-16 code units, the same on every machine. */
  keys(): string[] {
    return [...(this.#cells?.keys() ?? [])].sort();
  }

  keysUpdatedBefore(cutoffMs: number): string[] {
    return this.keys().filter((key) => (this.#cells?.get(key)?.lastUpdatedAtMs ?? cutoffMs) < cutoffMs);
  }
}

const NONE: ReadonlyMap<string, KvCell> = new Map();
