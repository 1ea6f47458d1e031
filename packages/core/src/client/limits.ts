/** Reads and changes the limits of a store: rules are data in it, so they change while work runs. */
import type { LimitChange, LimitRule, LimitState, ProviderLimits } from "../contract/limits.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import { type CheckedRule, checkedRule, checkRuleKey } from "../define/limit-rules.ts";
import type { Logger } from "../define/logger.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import { type ByHand, recordFault } from "./verbs/verb-options.ts";

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

const BY_HAND: OptionList = optionList<ByHand>({ by: true, reason: true });

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
export class Limits {
  readonly #provider: Provider;
  readonly #logger: Logger;

  /** @internal */
  constructor(provider: Provider, logger: Logger) {
    this.#provider = provider;
    this.#logger = logger;
  }

  /**
   * Stores the rule of a key, or of each key under a first level (`openai/*`), in place of the last one. What waits obeys
   * it from then on, in every process; what runs goes on. InvalidInputError for a rule that is none; ProviderError
   * (`unsupported`) where the store has no limits.
   */
  async set(key: string, rule: LimitRule, options: ByHand = {}): Promise<void> {
    checkRuleKey("limits.set: the key", key);
    const checked = checkedRule("limits.set: the rule", rule);
    checkRecord("limits.set", options);
    const { by, reason } = options;
    await this.#limits("limits.set").setLimit(key, { ...checked, ...recordOf(options) });
    this.#logger.info({ event: "limit_set", key, ...checked.rule, by, reason }, `the limit "${key}" was set`);
  }

  /** Removes the rule of a key: it limits nothing any more. Nothing happens where it has none. */
  async delete(key: string, options: ByHand = {}): Promise<void> {
    checkRuleKey("limits.delete: the key", key);
    checkRecord("limits.delete", options);
    const { by, reason } = options;
    const change: LimitChange = { rule: undefined, perMs: 0, ...recordOf(options) };
    await this.#limits("limits.delete").setLimit(key, change);
    this.#logger.info({ event: "limit_deleted", key, by, reason }, `the limit "${key}" was deleted`);
  }

  /** The rules in the order of their keys. */
  async list(): Promise<readonly LimitSummary[]> {
    const states = await this.#limits("limits.list").listLimits();
    return states.flatMap(({ limit, running, waiting }) => {
      if (limit === undefined) return [];
      const { key, rule, by, reason, changedAtMs } = limit;
      return [{ key, limits: rule, running, waiting, ...recordOf({ by, reason }), changedAtMs }];
    });
  }

  /** Counts what runs and waits under a key of either level, whether it has a rule or not. */
  async get(key: string): Promise<LimitStatus> {
    checkRuleKey("limits.get: the key", key);
    return statusOf(await this.#limits("limits.get").readLimit(key));
  }

  #limits(operation: string): ProviderLimits {
    return limitsOf(this.#provider, operation);
  }
}

function statusOf({ running, waiting, oldestWaitingMs, limit }: LimitState): LimitStatus {
  return { running, waiting, oldestWaitingMs, limits: limit?.rule ?? {} };
}

/** The rules of `Runtime.start`, checked. */
export type AppliedLimits = readonly (CheckedRule & { readonly key: string })[];

export function checkedLimits(where: string, limits: unknown): AppliedLimits {
  if (limits === undefined) return [];
  if (typeof limits !== "object" || limits === null || Array.isArray(limits))
    throw new InvalidInputError(`${where} must be an object of rules by key; got ${shown(limits)}`);
  return Object.entries(limits).map(([key, rule]: [string, unknown]) => {
    checkRuleKey(`${where}: the key`, key);
    return { key, ...checkedRule(`${where}: the rule of "${key}"`, rule) };
  });
}

/**
 * Stores the rules of code where they differ from those that code has stored before: what an operator has changed since
 * then stays until the code says something else.
 */
export async function applyLimits(provider: Provider, limits: AppliedLimits): Promise<void> {
  for (const { key, rule, perMs } of limits) {
    const applied = JSON.stringify(rule);
    await limitsOf(provider, "Runtime.start: limits").setLimit(key, { rule, perMs, applied });
  }
}

function limitsOf({ limits, name }: Provider, operation: string): ProviderLimits {
  if (limits !== undefined) return limits;
  const message = `the store "${name}" has no limits; use one that has, such as SQLite`;
  throw new ProviderError({ code: "unsupported", operation, message });
}

function checkRecord(where: string, options: ByHand): void {
  checkOptions(where, options, BY_HAND);
  const fault = recordFault(where, { by: options.by, reason: options.reason });
  if (fault !== undefined) throw new InvalidInputError(fault);
}

function recordOf({ by, reason }: Readonly<Record<"by" | "reason", string | undefined>> | ByHand): ByHand {
  return { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
}
