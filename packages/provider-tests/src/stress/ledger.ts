/**
 * Counts the rows that were added to the queues of a store, and the rows that were consumed. It wraps the provider and
 * does not change its behaviour. A call with an unknown outcome (it failed, but may have been executed) counts as
 * possible on either side.
 */
import {
  type ActivityId,
  type FusedAck,
  type FusedOutcome,
  type OrchestratorItem,
  type Provider,
  targetInstance,
  type WorkItem,
} from "@duroxide-ts/core/stores";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Account {
  put: number;
  taken: number;
  perhapsPut: number;
  perhapsTaken: number;
}

export class Ledger {
  readonly provider: Provider;
  /** Accounts by the content of messages; equal messages have one account. */
  readonly #accounts = new Map<string, Account>();
  readonly #batches = new Map<string, readonly OrchestratorItem[]>();
  readonly #activities = new Map<string, WorkItem>();
  readonly #cancelled = new Set<string>();
  #fetched = 0;
  #completed = 0;

  constructor(provider: Provider) {
    this.provider = this.#watch(provider);
  }

  /** Activities that were consumed from the worker queue. */
  get completedActivities(): number {
    return this.#completed;
  }

  /** Activities that were delivered more than once. */
  get repeatedActivities(): number {
    return this.#fetched - this.#completed;
  }

  /** Rows that were consumed more often than they were added, or never. */
  violations(): readonly string[] {
    return [...this.#accounts].flatMap(([key, { put, taken, perhapsPut, perhapsTaken }]) => {
      if (taken > put + perhapsPut)
        return [`doubled: ${key} was delivered ${taken} times, sent ${put} times`];
      const isLost = taken + perhapsTaken < put && !this.#cancelled.has(key);
      return isLost ? [`lost: ${key} was sent ${put} times, delivered ${taken} times`] : [];
    });
  }

  #watch(provider: Provider): Provider {
    const watched: Mutable<Partial<Provider>> = {
      enqueueForOrchestrator: (item, delayMs) =>
        this.#book(provider.enqueueForOrchestrator(item, delayMs), [item], []),
      enqueueForWorker: (item) => this.#book(provider.enqueueForWorker(item), [item], []),
      fetchOrchestrationItem: async (options) => {
        const fetched = await provider.fetchOrchestrationItem(options);
        if (fetched !== undefined) this.#batches.set(fetched.lockToken, fetched.item.messages);
        return fetched;
      },
      ackOrchestrationItem: async (ack) => {
        const taken = this.#batches.get(ack.lockToken) ?? [];
        for (const id of ack.cancelledActivities) this.#cancelled.add(activityKey(id));
        const put = [...ack.workerItems, ...ack.orchestratorItems];
        const acked = await this.#book(provider.ackOrchestrationItem(ack), put, taken);
        this.#batches.delete(ack.lockToken);
        return acked;
      },
      fetchWorkItem: async (options) => {
        const fetched = await provider.fetchWorkItem(options);
        if (fetched === undefined) return undefined;
        this.#fetched++;
        this.#activities.set(fetched.lockToken, fetched.item);
        return fetched;
      },
      ackWorkItem: async (lockToken, outcome) => {
        const activity = this.#activities.get(lockToken);
        const taken = activity === undefined ? [] : [activity];
        const put = outcome === undefined ? [] : [outcome];
        await this.#book(provider.ackWorkItem(lockToken, outcome), put, taken);
        this.#activities.delete(lockToken);
        this.#completed++;
      },
      ackFusedTurn: (ack) => this.#bookFused(ack, provider.ackFusedTurn(ack)),
    };
    return new Proxy(provider, {
      get(target, property) {
        if (property in watched) return Reflect.get(watched, property);
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  /** The outcomes are no messages, so they are not in the books. */
  async #bookFused(ack: FusedAck, call: Promise<FusedOutcome>): Promise<FusedOutcome> {
    const taken = ack.activityTokens.flatMap((token) => this.#activities.get(token) ?? []);
    for (const id of ack.cancelledActivities) this.#cancelled.add(activityKey(id));
    const isOvertaken = await call.then(
      ({ kind }) => kind === "overtaken",
      () => false,
    );
    if (isOvertaken) return call;
    const outcome = await this.#book(call, [...ack.workerItems, ...ack.orchestratorItems], taken);
    for (const token of ack.activityTokens) this.#activities.delete(token);
    this.#completed += ack.activityTokens.length;
    return outcome;
  }

  async #book<T>(call: Promise<T>, put: readonly WorkItem[], taken: readonly WorkItem[]): Promise<T> {
    const isDone = await call.then(
      () => true,
      () => false,
    );
    for (const item of put) this.#accountOf(item)[isDone ? "put" : "perhapsPut"]++;
    for (const item of taken) this.#accountOf(item)[isDone ? "taken" : "perhapsTaken"]++;
    return call;
  }

  #accountOf(item: WorkItem): Account {
    const key = keyOf(item);
    const account = this.#accounts.get(key) ?? { put: 0, taken: 0, perhapsPut: 0, perhapsTaken: 0 };
    this.#accounts.set(key, account);
    return account;
  }
}

/** Returns a key without payloads, which are large. */
function keyOf(item: WorkItem): string {
  switch (item.kind) {
    case "ActivityExecute":
      return activityKey({
        instanceId: item.instance,
        executionId: Number(item.execution_id),
        activityId: Number(item.id),
      });
    case "ActivityCompleted":
    case "ActivityFailed":
    case "TimerFired":
      return `${item.kind} ${item.instance}#${item.execution_id}:${item.id}`;
    case "SubOrchCompleted":
    case "SubOrchFailed":
      return `${item.kind} ${item.parent_instance}#${item.parent_execution_id}:${item.parent_id}`;
    default:
      return `${item.kind} ${targetInstance(item)}`;
  }
}

function activityKey({ instanceId, executionId, activityId }: ActivityId): string {
  return `ActivityExecute ${instanceId}#${executionId}:${activityId}`;
}
