/** The situation of a script: the values that the next call may use, and their source text. */
import {
  decodeWorkItem,
  type ExecutionStatus,
  type FetchedOrchestration,
  type FetchedWork,
  type OrchestratorItem,
  type TimerId,
  timerIdOf,
} from "@duroxide-ts/core/stores";
import type { CaseContext } from "../context.ts";
import type { Call } from "./call.ts";
import { callText } from "./literal.ts";
import type { Reference, Tables } from "./reference.ts";

/** Selects one of the fetches so far: one with a valid lock, or any. */
export interface FetchChoice {
  readonly isHeld: boolean;
  /** 0 is the latest. */
  readonly age: number;
}

/** Chooses a call that makes sense in the situation, if there is one. */
export type CallMove = (situation: Situation) => Call | undefined;

export class Situation {
  reference: Reference;
  /** Whether each operation is one storage call. */
  readonly isOneStep: boolean;
  /** The fetched turns so far, the latest first. */
  readonly orchestrations: FetchedOrchestration[] = [];
  readonly activities: FetchedWork[] = [];
  /** The history tags that commits of an instance were answered with, the latest first, as source text too. */
  readonly tags: Map<string, readonly { readonly tag: string; readonly text: string }[]> = new Map();
  readonly names: Map<unknown, string> = new Map();
  #serial = 0;

  constructor(reference: Reference, { capabilities }: CaseContext) {
    this.reference = reference;
    this.isOneStep = capabilities.storageCalls === "one";
  }

  orchestration(choice: FetchChoice): FetchedOrchestration | undefined {
    const held = [...this.#tables.instanceLocks.values()].filter((lock) => this.#isHeld(lock));
    return pick(this.orchestrations, new Set(held.map(({ token }) => token)), choice);
  }

  activity(choice: FetchChoice): FetchedWork | undefined {
    const held = this.#tables.activities.filter((row) => this.#isHeld(row));
    return pick(this.activities, new Set(held.map(({ lockToken }) => lockToken)), choice);
  }

  /** Whether a turn has named the instance. */
  exists(id: string): boolean {
    return this.#tables.instances.has(id);
  }

  /** Whether a fetch that finds messages of the instance knows its orchestration. */
  hasContext(id: string): boolean {
    return this.exists(id) || this.hasHistory(id) || this.#messagesOf(id).some(isStart);
  }

  hasHistory(id: string): boolean {
    return this.eventIds(id, this.currentExecution(id)).length > 0;
  }

  /** The id of the current execution; 0 where there is none. */
  currentExecution(id: string): number {
    return Math.max(0, ...(this.#tables.executions.get(id)?.keys() ?? []));
  }

  eventIds(id: string, executionId: number): readonly number[] {
    return [...(this.#tables.executions.get(id)?.get(executionId)?.events.keys() ?? [])];
  }

  statusOf(id: string, executionId: number): ExecutionStatus | undefined {
    return this.#tables.executions.get(id)?.get(executionId)?.status;
  }

  childrenOf(id: string): readonly string[] {
    const { instances } = this.#tables;
    return [...instances].flatMap(([child, { parentInstanceId }]) =>
      parentInstanceId === id ? [child] : [],
    );
  }

  timersOf(id: string): readonly TimerId[] {
    return this.#messagesOf(id).flatMap((item) => timerIdOf(item) ?? []);
  }

  /** Whether a fetch without a filter must find something. */
  hasDue(): boolean {
    const { instanceLocks, messages } = this.#tables;
    return messages.some(
      ({ instanceId, visibleAtMs }) =>
        visibleAtMs <= this.reference.nowMs && !this.#isHeld(instanceLocks.get(instanceId)),
    );
  }

  #isHeld(lock: { readonly lockedUntilMs: number } | undefined): boolean {
    return lock !== undefined && lock.lockedUntilMs > this.reference.nowMs;
  }

  get #tables(): Tables {
    return this.reference.tables;
  }

  #messagesOf(id: string): readonly OrchestratorItem[] {
    const own = this.#tables.messages.filter(({ instanceId }) => instanceId === id);
    return own.map(({ workItem }) => decodeWorkItem(workItem) as OrchestratorItem);
  }

  /** Different at each call, so that no two messages are the same. */
  serial(): number {
    return ++this.#serial;
  }

  /** A point in time, written as it would be at this point of the script. */
  instant(fromNowMs: number): number {
    const sign = fromNowMs < 0 ? "-" : "+";
    return this.written(this.reference.nowMs + fromNowMs, `now() ${sign} ${Math.abs(fromNowMs)}`);
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

function isStart({ kind }: OrchestratorItem): boolean {
  return kind === "StartOrchestration" || kind === "ContinueAsNew";
}

function pick<T extends { readonly lockToken: string }>(
  fetches: readonly T[],
  held: ReadonlySet<string | undefined>,
  choice: FetchChoice,
): T | undefined {
  const candidates = choice.isHeld ? fetches.filter(({ lockToken }) => held.has(lockToken)) : fetches;
  return candidates[choice.age % candidates.length];
}
