/** The key-value entries of an orchestration. */
import type { KeyDefinition } from "./definition-types.ts";
import type { CallOptions } from "./durable-call-options.ts";
import type { Task } from "./task.ts";

/** The key-value entries of an instance. With a name instead of a definition the type is not checked. */
export interface KeyValues {
  /**
   * Sets an entry; visible to `get` at once, to clients after the turn. LimitExceededError for a value of more than
   * 65,536 bytes or for more than 150 entries.
   */
  set<T = unknown>(key: KeyDefinition<T, unknown> | string, value: NoInfer<T>): void;
  /** The entry as of now; `undefined` when there is none. */
  get<T = unknown>(key: KeyDefinition<unknown, T> | string): T | undefined;
  /** Deletes an entry, if there is one. */
  delete(key: KeyDefinition<unknown, unknown> | string): void;
  /** Deletes every entry. */
  clear(): void;
  /** Keys in ascending order. */
  keys(): readonly string[];
  /** Deletes entries that were last set before `cutoffMs`; returns how many. */
  deleteUpdatedBefore(cutoffMs: number): number;
  /** Another instance's entry as of the read, recorded as a system call. */
  getFromInstance<T = unknown>(
    instanceId: string,
    key: KeyDefinition<unknown, T> | string,
    options?: CallOptions,
  ): Task<T | undefined>;
}
