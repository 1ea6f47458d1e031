/** The situation of a script: the values that the next call may use, and their source text. */
import type { FetchedOrchestration, FetchedWork, Provider } from "@duroxide-ts/core/stores";
import type { Method, Methods } from "./contract.ts";
import { callText } from "./literal.ts";
import { isHeld, type State } from "./state.ts";

export type CallerName = "one" | "two";

/** A call that is about to be made. */
export interface Call {
  readonly caller: CallerName;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** Selects one of the fetches so far: one with a valid lock, or any. */
export interface FetchChoice {
  readonly isHeld: boolean;
  /** 0 is the latest. */
  readonly age: number;
}

/** Chooses a call that makes sense in the situation, if there is one. */
export type CallMove = (situation: Situation) => Call | undefined;

export class Situation {
  state: State;
  readonly hasAdmin: boolean;
  /** Whether the store keeps blocks, and marks of work that ran alone. */
  readonly keepsBlocked: boolean;
  /** Whether activities may end together with a turn. */
  readonly canFuse: boolean;
  /** The fetched turns so far, the latest first. */
  readonly orchestrations: FetchedOrchestration[] = [];
  readonly activities: FetchedWork[] = [];
  /** The history tags that commits of an instance were answered with, the latest first, as source text too. */
  readonly tags: Map<string, readonly { readonly tag: string; readonly text: string }[]> = new Map();
  readonly names: Map<unknown, string> = new Map();
  #serial = 0;

  constructor(state: State, provider: Provider) {
    this.state = state;
    this.hasAdmin = provider.admin !== undefined;
    this.keepsBlocked = provider.getBlocked !== undefined;
    this.canFuse = provider.ackFusedTurn !== undefined;
  }

  orchestration(choice: FetchChoice): FetchedOrchestration | undefined {
    const { instances } = this.state;
    const held = [...instances.values()].filter(({ lock }) => isHeld(lock, this.state));
    return pick(this.orchestrations, new Set(held.map(({ lock }) => lock?.token)), choice);
  }

  activity(choice: FetchChoice): FetchedWork | undefined {
    const held = this.state.activities.filter(({ lock }) => isHeld(lock, this.state));
    return pick(this.activities, new Set(held.map(({ lock }) => lock?.token)), choice);
  }

  /** Different at each call, so that no two messages are the same. */
  serial(): number {
    return ++this.#serial;
  }

  /** A point in time, written as it would be at this point of the script. */
  instant(fromNowMs: number): number {
    const sign = fromNowMs < 0 ? "-" : "+";
    return this.written(this.state.nowMs + fromNowMs, `now() ${sign} ${Math.abs(fromNowMs)}`);
  }

  /** The result of the function, remembered as the call of the function. */
  made<A extends readonly unknown[], T>(make: (...args: A) => T, ...args: A): T {
    const value = make(...args);
    this.names.set(value, callText(make.name, args, this.names));
    return value;
  }

  /** Any value, remembered as the given source text. */
  written<T>(value: T, text: string): T {
    this.names.set(value, text);
    return value;
  }
}

function pick<T extends { readonly lockToken: string }>(
  fetches: readonly T[],
  held: ReadonlySet<string | undefined>,
  choice: FetchChoice,
): T | undefined {
  const candidates = choice.isHeld ? fetches.filter(({ lockToken }) => held.has(lockToken)) : fetches;
  return candidates[choice.age % candidates.length];
}

/** A call, with the arguments of its method. */
export function callOf<M extends Method>(
  caller: CallerName,
  method: M,
  ...args: Parameters<Methods[M]>
): Call {
  return { caller, method, args };
}
