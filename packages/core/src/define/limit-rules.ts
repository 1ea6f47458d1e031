/** Checks keys, priorities and rules of limits before anything is stored. */
import { DEFAULT_PRIORITY, LAST_PRIORITY, type LimitRate, type LimitRule } from "../contract/limits.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { wholeNumberFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import { durationMs } from "./duration.ts";
import { lengthFault, MAX_LIMIT_KEY_BYTES, surrogateFault } from "./limits.ts";

/** 1 goes first, 5 last; 3 is the default. */
export type Priority = 1 | 2 | 3 | 4 | 5;

/** How work is held back and ordered. */
export interface LimitOptions {
  /**
   * Key whose limits hold the work back, such as `"partner"` or, with a second level, `"openai/acme"`: it counts at each
   * level. A key without a rule limits nothing. At most 200 bytes.
   */
  readonly limit?: string;
  /** 1 goes first, 5 last, 3 by default. Work that has waited for a minute goes before all other work of its key. */
  readonly priority?: Priority;
}

const RULE: OptionList = optionList<LimitRule>({ concurrency: true, rate: true });
const RATE: OptionList = optionList<LimitRate>({ max: true, per: true, burst: true });

export function checkLimitOptions(call: string, { limit, priority }: LimitOptions): void {
  if (limit !== undefined) checkLimitKey(`${call}: limit`, limit);
  if (priority === undefined) return;
  if (Number.isInteger(priority) && priority >= 1 && priority <= LAST_PRIORITY) return;
  throw new InvalidInputError(
    `${call}: priority must be a whole number from 1 (first) to ${LAST_PRIORITY} (last), ${DEFAULT_PRIORITY} by default; got ${shown(priority)}`,
  );
}

/** The key of work. */
export function checkLimitKey(what: string, key: unknown): void {
  refuse(keyFault(what, key));
  if (String(key).includes("*"))
    refuse(`${what} must not have a "*", which stands for every key in rules; got ${shown(key)}`);
}

/** The key of a rule: that of work, or each second-level key under a first level (`openai/*`). */
export function checkRuleKey(what: string, key: unknown): void {
  refuse(keyFault(what, key));
  const [first = "", second = ""] = String(key).split("/");
  if (!first.includes("*") && (second === "*" || !second.includes("*"))) return;
  refuse(`${what}: "*" stands for the whole second level, as in "openai/*"; got ${shown(key)}`);
}

function keyFault(what: string, key: unknown): string | undefined {
  if (typeof key !== "string" || key === "")
    return `${what} must be a string that is not empty; got ${shown(key)}`;
  const levels = key.split("/");
  if (levels.length > 2 || levels.includes(""))
    return `${what} has one or two levels, such as "partner" or "openai/acme"; got ${shown(key)}`;
  return lengthFault(what, key, MAX_LIMIT_KEY_BYTES) ?? surrogateFault(what, key);
}

/** The rule without undefined members, and the length of its period, ms. */
export interface CheckedRule {
  readonly rule: LimitRule;
  readonly perMs: number;
}

/** InvalidInputError for a rule that is none. */
export function checkedRule(what: string, rule: unknown): CheckedRule {
  checkOptions(what, rule ?? null, RULE);
  const { concurrency, rate } = rule as LimitRule;
  if (concurrency === undefined && rate === undefined)
    refuse(`${what} limits nothing; give concurrency, such as { concurrency: 5 }, or rate, or both`);
  refuse(wholeNumberFault(`${what}: concurrency`, concurrency, 1));
  const checked = rate === undefined ? undefined : checkedRate(`${what}: rate`, rate);
  return {
    rule: {
      ...(concurrency !== undefined && { concurrency }),
      ...(checked !== undefined && { rate: checked.rate }),
    },
    perMs: checked?.perMs ?? 0,
  };
}

function checkedRate(what: string, given: LimitRate): { readonly rate: LimitRate; readonly perMs: number } {
  checkOptions(what, given, RATE);
  const { max, per, burst } = given;
  if (max === undefined) refuse(`${what}: max is missing; give how many may begin in a period`);
  refuse(wholeNumberFault(`${what}: max`, max, 1));
  refuse(wholeNumberFault(`${what}: burst`, burst, 1));
  if (per === undefined) refuse(`${what}: per is missing; give the period, such as { seconds: 1 }`);
  const perMs = durationMs(per, `${what}: per`);
  if (perMs < 1) refuse(`${what}: per must be 1 ms or more; got ${shown(per)}`);
  return { rate: { max, per: copyOf(per), ...(burst !== undefined && { burst }) }, perMs };
}

function copyOf(per: LimitRate["per"]): LimitRate["per"] {
  if (typeof per === "number") return per;
  return Object.fromEntries(Object.entries(per).filter(([, amount]) => amount !== undefined));
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new InvalidInputError(fault);
}
