/**
 * Faults on request: rules that hit single requests, budgets of request units, and a clock that is wrong. The same
 * rules, seed and order of requests give the same faults.
 */
import type { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { errorOf, type FaultEffect } from "./fault-effect.ts";
import { invalidFault } from "./fault-input.ts";
import { checkFaultRule, type FaultRule, type FaultTarget, matches } from "./fault-rule.ts";
import { type RefusedOperation, refusedIndex } from "./operation-fault.ts";
import type { Budget, Throttle } from "./throttle.ts";

/** A rule in force. */
export interface ActiveFault {
  readonly id: number;
  readonly rule: FaultRule;
  /** Number of requests that it hit so far. */
  readonly hits: number;
}

/** The faults that apply to one request. */
export interface FaultDecision {
  readonly delayMs: number;
  readonly writesBehind: number;
  /** Largest number of items of a page; undefined where it is not limited. */
  readonly mostItems: number | undefined;
  /** The event that takes the place of the execution, or of the answer. */
  readonly outcome: "serve" | "reset" | "loseResponse" | CosmosError | RefusedOperation;
}

interface RuleState {
  readonly id: number;
  readonly rule: FaultRule;
  seen: number;
  hits: number;
}

/** Effects that apply beside another one. */
const ADDED: readonly FaultEffect["kind"][] = ["delay", "staleRead", "shortPage"];

/** Bound of the items of a short page that names no number. */
const FEW_ITEMS = 4;

const NO_FAULT: FaultDecision = { delayMs: 0, writesBehind: 0, mostItems: undefined, outcome: "serve" };

/** Faults of a running endpoint: add them, list them, end them. */
export class Faults {
  readonly #random: SeededRandom;
  readonly #throttle: Throttle;
  #rules: RuleState[] = [];
  #lastId = 0;
  #clockSkewMs = 0;

  constructor({ seed, throttle }: { readonly seed: number; readonly throttle: Throttle }) {
    this.#random = new SeededRandom(seed);
    this.#throttle = throttle;
  }

  /** Adds a rule and returns its id. Throws a CosmosError 400 for a rule that makes no sense. */
  add(rule: FaultRule): number {
    const checked = checkFaultRule(rule as unknown as JsonValue);
    this.#lastId += 1;
    this.#rules.push({ id: this.#lastId, rule: checked, seen: 0, hits: 0 });
    return this.#lastId;
  }

  /** Ends a rule; false if there is none with this id. */
  remove(id: number): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((state) => state.id !== id);
    return this.#rules.length < before;
  }

  /** Lists the rules in force, in the order in which they are asked. */
  list(): readonly ActiveFault[] {
    return this.#rules.map(({ id, rule, hits }) => ({ id, rule, hits }));
  }

  /** Ends all rules and budgets, and sets the clock right. */
  clear(): void {
    this.#rules = [];
    this.#throttle.clearBudgets();
    this.#clockSkewMs = 0;
  }

  /**
   * Lets a container serve this many request units a second, or as many as are provisioned for it or its database, and
   * refuse the rest with 429/3200. Each physical partition has an even share, as on the service. One second's worth may
   * be used at once. `undefined` takes the limit away. Throws a CosmosError 400 for what is not above 0.
   * @param range The physical partition that alone is limited, to all of the budget.
   */
  setBudget(database: string, container: string, budget: Budget | undefined, range?: string): void {
    if (budget !== undefined && budget !== "provisioned" && !(budget > 0)) {
      throw invalidFault('A budget is a number of request units per second above 0, "provisioned", or none.');
    }
    this.#throttle.setBudget({ database, container, range }, budget);
  }

  /**
   * Returns the time by which the endpoint's clock is ahead of the true one, in ms (behind, where negative): `Date`,
   * `_ts`, time to live and GetCurrentTimestamp follow it, and so does the age of signatures, which may be 15
   * minutes.
   */
  get clockSkewMs(): number {
    return this.#clockSkewMs;
  }

  set clockSkewMs(skewMs: number) {
    this.#clockSkewMs = skewMs;
  }

  /**
   * Decides which faults apply to a request. Delays add up; of the other effects the first rule that hits decides.
   *
   * @internal
   */
  decide(target: FaultTarget): FaultDecision {
    if (this.#rules.length === 0) return NO_FAULT;
    let { delayMs, writesBehind, mostItems, outcome } = NO_FAULT;
    for (const state of this.#rules) {
      const { effect } = state.rule;
      const isTaken = outcome !== "serve" && !ADDED.includes(effect.kind);
      const index = effect.kind === "operationError" ? refusedIndex(effect, target.operationTypes()) : 0;
      if (isTaken || index === undefined || !this.#hits(state, target)) continue;
      if (effect.kind === "delay") delayMs += effect.delayMs + this.#jitter(effect.jitterMs);
      else if (effect.kind === "shortPage") {
        mostItems = Math.min(mostItems ?? Number.POSITIVE_INFINITY, effect.items ?? this.#fewItems());
      } else if (effect.kind === "staleRead") writesBehind = Math.max(writesBehind, effect.writesBehind);
      else if (effect.kind === "operationError") outcome = { index, error: effect };
      else outcome = effect.kind === "error" ? errorOf(effect) : effect.kind;
    }
    this.#rules = this.#rules.filter(({ rule, hits }) => rule.next === undefined || hits < rule.next);
    return { delayMs, writesBehind, mostItems, outcome };
  }

  #jitter(mostMs = 0): number {
    return mostMs === 0 ? 0 : Math.round(this.#random.next() * mostMs);
  }

  #fewItems(): number {
    return Math.floor(this.#random.next() * FEW_ITEMS);
  }

  #hits(state: RuleState, target: FaultTarget): boolean {
    if (!matches(state.rule.match, target)) return false;
    state.seen += 1;
    if (state.seen <= (state.rule.skip ?? 0)) return false;
    if (state.rule.rate !== undefined && this.#random.next() >= state.rule.rate) return false;
    state.hits += 1;
    return true;
  }
}

/** Random numbers that are the same for the same seed (a 32-bit multiply-and-xorshift generator). */
class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number in [0, 1), uniformly. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }
}
