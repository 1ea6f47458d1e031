/**
 * The budget of an agent: tokens, money and model calls of its whole life.
 *
 * - budget.B1: What is spent is an entry of the instance, changed where the result of a model call is received. So it is
 *   right after a crash and a replay, and goes on over continue-as-new.
 * - budget.B2: A call is refused when the budget is used up, not when it might be passed. The call that passes it is the
 *   last one; calls that were begun together with it end.
 * - budget.B3: What is no amount is refused, because it would limit nothing, or something else: `NaN` of a variable that is
 *   not set, a text that a person has sent.
 */
import { InvalidInputError, type KeyDefinition, key, type OrchestrationContext } from "@duroxide-ts/core";
import { type OptionList, optionFault, optionList } from "@duroxide-ts/core/stores";
import type { ModelUsage } from "./sdk-types.ts";

/** Amounts of a budget; one that is left out is not limited. */
export interface Amounts {
  /** Tokens of inputs and outputs. */
  readonly tokens?: number;
  /** Money, in the currency of `price`. */
  readonly money?: number;
  /** Number of model calls. */
  readonly steps?: number;
}

/** Limits of what an agent spends. */
export interface Budget extends Amounts {
  /** Price of a model call. Runs in orchestration code, so it must depend on its arguments only. */
  readonly price?: (usage: ModelUsage, modelId: string) => number;
  /**
   * Called when the budget is used up, in orchestration code: it may ask a person and wait. What it returns is added to the
   * budget; for `undefined` the call rejects with BudgetError.
   */
  readonly more?: (spent: Spent) => PromiseLike<Amounts | undefined>;
}

/** Sums of what an agent has spent. */
export interface Spent {
  readonly tokens: number;
  readonly money: number;
  readonly steps: number;
  /** Amounts that `more` has added to the budget. */
  readonly added: Amounts;
}

/** The budget of an agent is used up, and nobody has added to it. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
  readonly code = "budget-spent";
  /** Amount that is used up: `tokens`, `money` or `steps`. */
  readonly kind: string;
  readonly spent: Spent;

  constructor(kind: string, spent: Spent) {
    super(
      `the budget is used up: ${spent.tokens} tokens, ${spent.steps} model calls, ${spent.money} in money; raise its ${kind}, or add to it in more()`,
    );
    this.kind = kind;
    this.spent = spent;
  }
}

/** The entry of an instance with what it has spent; clients read it with `handle.get(spent)`. */
export const spent: KeyDefinition<Spent> = key<Spent>("duroxide.ai.spent");

const KINDS = ["tokens", "money", "steps"] as const;
const AMOUNTS: OptionList = optionList<Amounts>({ tokens: true, money: true, steps: true });
const BUDGET: OptionList = optionList<Budget>({
  tokens: true,
  money: true,
  steps: true,
  price: true,
  more: true,
});

const NOTHING: Spent = { tokens: 0, money: 0, steps: 0, added: {} };

/** InvalidInputError for a budget that would limit nothing, or something else (budget.B3). */
export function checkBudget(budget: Budget): void {
  checkAmounts("durableCalls: budget", budget, BUDGET);
  if (budget.money === undefined || budget.price !== undefined) return;
  throw new InvalidInputError(
    "durableCalls: budget.money limits nothing without budget.price, the price of a call; give price, or limit tokens or steps",
  );
}

/** budget.B3 */
function checkAmounts(where: string, amounts: Amounts, known: OptionList): void {
  const fault = optionFault(where, amounts, known);
  if (fault !== undefined) throw new InvalidInputError(fault);
  const kind = KINDS.find((each) => !isAmount(amounts[each]));
  if (kind === undefined) return;
  throw new InvalidInputError(
    `${where}.${kind} must be a number of 0 or more, and is ${String(amounts[kind])}`,
  );
}

function isAmount(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && value >= 0);
}

/** Reads what the instance has spent so far. */
function spentBy(ctx: OrchestrationContext): Spent {
  return ctx.kv.get(spent) ?? NOTHING;
}

/** Resolves when another call is allowed. */
export async function admit(ctx: OrchestrationContext, budget: Budget): Promise<void> {
  for (;;) {
    const now = spentBy(ctx);
    const kind = KINDS.find((each) => isUsedUp(budget, now, each));
    if (kind === undefined) return;
    const more = await budget.more?.(now);
    if (more === undefined) throw new BudgetError(kind, now);
    checkAmounts("durableCalls: what budget.more returns", more, AMOUNTS);
    const { added, ...amounts } = spentBy(ctx);
    ctx.kv.set(spent, { ...amounts, added: sum(added, more) });
  }
}

/** Adds a call to what is spent. */
export function charge(ctx: OrchestrationContext, budget: Budget, usage: ModelUsage, modelId: string): void {
  const before = spentBy(ctx);
  ctx.kv.set(spent, {
    ...before,
    tokens: before.tokens + (usage.inputTokens.total ?? 0) + (usage.outputTokens.total ?? 0),
    money: before.money + (budget.price?.(usage, modelId) ?? 0),
    steps: before.steps + 1,
  });
}

function isUsedUp(budget: Budget, now: Spent, kind: (typeof KINDS)[number]): boolean {
  const limit = budget[kind];
  return limit !== undefined && now[kind] >= limit + (now.added[kind] ?? 0);
}

function sum(one: Amounts, other: Amounts): Amounts {
  return Object.fromEntries(KINDS.map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)]));
}
