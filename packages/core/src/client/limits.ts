/** The limits of a store as clients see them: rules are data in it, so they change while work runs. */
import type { LimitRule } from "../contract/limits.ts";
import type { ByHand } from "./verbs/verb-options.ts";

/** A rule in a list, with what runs and waits under its key. */
export interface LimitSummary {
  readonly key: string;
  readonly limits: LimitRule;
  readonly running: number;
  readonly waiting: number;
  /** The operator who changed it last, and why; absent where code did. */
  readonly by?: string;
  readonly reason?: string;
  /** Ms since the epoch. */
  readonly changedAtMs: number;
}

/** Counts of what runs and waits under a key, and the rule that holds for it. */
export interface LimitStatus {
  readonly running: number;
  readonly waiting: number;
  /** How long the oldest has waited, ms; 0 if none waits. */
  readonly oldestWaitingMs: number;
  /** Empty where the key has no rule. */
  readonly limits: LimitRule;
}

/**
 * The limits of a store: how many run at the same time, and how many begin in a period, by key.
 *
 * @example
 * ```ts
 * await client.limits.set("partner", { concurrency: 5, rate: { max: 10, per: { seconds: 1 } } });
 * await client.limits.set("openai/*", { concurrency: 3 }, { by: "ada", reason: "a new contract" });
 * const { running, waiting } = await client.limits.get("openai/acme");
 * ```
 */
export interface Limits {
  /**
   * Stores the rule of a key, or of each key under a first level (`openai/*`), in place of the last one. What waits obeys
   * it from then on, in every process; what runs goes on. InvalidInputError for a rule that is none; ProviderError
   * (`unsupported`) where the store has no limits.
   *
   * @example
   * ```ts
   * await client.limits.set("partner", { concurrency: 5, rate: { max: 10, per: { seconds: 1 } } });
   * ```
   */
  set(key: string, rule: LimitRule, options?: ByHand): Promise<void>;
  /**
   * Removes the rule of a key: it limits nothing any more. Nothing happens where it has none.
   *
   * @example
   * ```ts
   * await client.limits.delete("partner", { by: "ada" });
   * ```
   */
  delete(key: string, options?: ByHand): Promise<void>;
  /**
   * The rules in the order of their keys.
   *
   * @example
   * ```ts
   * for (const { key, running, waiting } of await client.limits.list()) console.log(key, running, waiting);
   * ```
   */
  list(): Promise<readonly LimitSummary[]>;
  /**
   * Counts what runs and waits under a key of either level, whether it has a rule or not.
   *
   * @example
   * ```ts
   * const { running, waiting } = await client.limits.get("partner");
   * ```
   */
  get(key: string): Promise<LimitStatus>;
}
