/** The key-value entries of an orchestration. */
import type { KeyDefinition } from "./definition-types.ts";
import type { CallOptions } from "./durable-call-options.ts";
import type { Task } from "./task.ts";

/** The key-value entries of an instance. With a name instead of a definition the type is not checked. */
export interface KeyValues {
  /**
   * Sets an entry; visible to `get` at once, to clients after the turn. LimitExceededError for a value of more than
   * 65,536 bytes or for more than 150 entries.
   *
   * @example
   * ```ts
   * ctx.kv.set(total, (ctx.kv.get(total) ?? 0) + order.cents);
   * ```
   */
  set<T = unknown>(key: KeyDefinition<T, unknown> | string, value: NoInfer<T>): void;
  /**
   * The entry as of now; `undefined` when there is none.
   *
   * @example
   * ```ts
   * const cents = ctx.kv.get(total) ?? 0;
   * ```
   */
  get<T = unknown>(key: KeyDefinition<unknown, T> | string): T | undefined;
  /**
   * Deletes an entry, if there is one.
   *
   * @example
   * ```ts
   * ctx.kv.delete(total);
   * ```
   */
  delete(key: KeyDefinition<unknown, unknown> | string): void;
  /**
   * Deletes every entry.
   *
   * @example
   * ```ts
   * ctx.kv.clear();
   * ```
   */
  clear(): void;
  /**
   * Keys in ascending order.
   *
   * @example
   * ```ts
   * for (const name of ctx.kv.keys()) ctx.log.info(name);
   * ```
   */
  keys(): readonly string[];
  /**
   * Deletes entries that were last set before `cutoffMs`; returns how many.
   *
   * @example
   * ```ts
   * const removed = ctx.kv.deleteUpdatedBefore(ctx.now() - 86_400_000); // entries of yesterday
   * ```
   */
  deleteUpdatedBefore(cutoffMs: number): number;
  /**
   * Another instance's entry as of the read, recorded as a system call.
   *
   * @example
   * ```ts
   * const cents = await ctx.kv.getFromInstance("order-41", total);
   * ```
   */
  getFromInstance<T = unknown>(
    instanceId: string,
    key: KeyDefinition<unknown, T> | string,
    options?: CallOptions,
  ): Task<T | undefined>;
}
