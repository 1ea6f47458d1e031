/** The calls of `client.limits`, and the rules that a runtime stores when it starts. */
import type { LimitChange, ProviderLimits } from "../contract/limits.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import { type CheckedRule, checkedRule, checkRuleKey } from "../define/limit-rules.ts";
import type { LogFields, Logger } from "../define/logger.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkOptions, shown } from "../options/option-list.ts";
import type { LimitStatus, LimitSummary } from "./limits.ts";
import { BY_HAND, type ByHand, checkRecord, recordOf } from "./verbs/verb-options.ts";

/** A call that changes the rule of a key. */
interface Change {
  readonly key: string;
  readonly rule: unknown;
  readonly options: ByHand;
}

export async function setRule(
  provider: Provider,
  logger: Logger,
  { key, rule, options }: Change,
): Promise<void> {
  checkRuleKey("limits.set: the key", key);
  const checked = checkedRule("limits.set: the rule", rule);
  checkOptions("limits.set", options, BY_HAND);
  checkRecord("limits.set", options);
  await limitsOf(provider, "limits.set").setLimit(key, { ...checked, ...recordOf(options) });
  const { by, reason } = options;
  log(logger, "limit_set", { key, ...checked.rule, by, reason });
}

export async function deleteRule(
  provider: Provider,
  logger: Logger,
  { key, options }: Omit<Change, "rule">,
): Promise<void> {
  checkRuleKey("limits.delete: the key", key);
  checkOptions("limits.delete", options, BY_HAND);
  checkRecord("limits.delete", options);
  const change: LimitChange = { rule: undefined, perMs: 0, ...recordOf(options) };
  await limitsOf(provider, "limits.delete").setLimit(key, change);
  const { by, reason } = options;
  log(logger, "limit_deleted", { key, by, reason });
}

export async function listRules(provider: Provider): Promise<readonly LimitSummary[]> {
  const states = await limitsOf(provider, "limits.list").listLimits();
  return states.flatMap(({ limit, running, waiting }) => {
    if (limit === undefined) return [];
    const { key, rule, changedAtMs } = limit;
    return [{ key, limits: rule, running, waiting, ...recordOf(limit), changedAtMs }];
  });
}

export async function readKey(provider: Provider, key: string): Promise<LimitStatus> {
  checkRuleKey("limits.get: the key", key);
  const { running, waiting, oldestWaitingMs, limit } = await limitsOf(provider, "limits.get").readLimit(key);
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

function log(logger: Logger, event: string, fields: LogFields): void {
  logger.info({ event, ...fields }, `${event.replaceAll("_", " ")} by hand`);
}
