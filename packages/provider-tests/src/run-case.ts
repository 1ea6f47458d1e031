/** Runs one case on a fresh store, and checks that the case follows the rules of the kit. */
import { randomUUID } from "node:crypto";
import { systemClock } from "@duroxide-ts/core";
import { withBoundaryFaults } from "./boundary-faults.ts";
import type { Need, ProviderCase } from "./case.ts";
import { Check } from "./check.ts";
import type { CaseContext } from "./context.ts";
import type { ProviderFactory, TestStore } from "./factory.ts";
import { type CaseTime, realTime, virtualTime } from "./time.ts";

/** The outcome of a case that did not throw. */
export type CaseOutcome =
  | { readonly kind: "passed"; readonly checks: number }
  | { readonly kind: "skipped"; readonly reason: string };

/** Throws if the store violates the behaviour, or if the case asserts nothing. */
export async function runCase(providerCase: ProviderCase, factory: ProviderFactory): Promise<CaseOutcome> {
  const run = new CaseRun(factory);
  const reason = await run.attempt(providerCase).catch(async (error: unknown) => {
    // The failure of the case is more important than a failure of closing.
    await run.close().catch(() => {});
    throw error;
  });
  await run.close();
  if (reason !== undefined) return { kind: "skipped", reason };
  if (run.check.count === 0) {
    throw new Error(`${providerCase.group}/${providerCase.name} asserts nothing, so it proves nothing`);
  }
  return { kind: "passed", checks: run.check.count };
}

const DEFAULT_RESPONSE_MS = 100;
const DEFAULT_LOCK_MS = { virtual: 30_000, system: 5_000 } as const;

class CaseRun {
  readonly check = new Check();
  readonly #factory: ProviderFactory;
  readonly #stores = new Set<TestStore>();
  readonly #time: CaseTime;

  constructor(factory: ProviderFactory) {
    this.#factory = factory;
    this.#time = factory.capabilities.clock === "virtual" ? virtualTime(() => this.#idle()) : realTime;
  }

  /** Runs the case, or returns why it cannot be run. */
  async attempt(providerCase: ProviderCase): Promise<string | undefined> {
    const context = await this.openStore();
    const reason = missing(providerCase.needs, context);
    if (reason === undefined) await providerCase.run(context);
    return reason;
  }

  async openStore(): Promise<CaseContext & AsyncDisposable> {
    const clock = this.#factory.capabilities.clock === "virtual" ? this.#time.clock : systemClock;
    const opened = await this.#factory.open({ clock, storeId: `kit-${randomUUID().slice(0, 13)}` });
    this.#stores.add(opened);
    const store = this.#withFaults(opened);
    return Object.assign(this.#contextOf(store, store.provider), {
      [Symbol.asyncDispose]: () => this.#closeStore(opened),
    });
  }

  /** Closes every store, also when one cannot be closed. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled([...this.#stores].map((store) => store[Symbol.asyncDispose]()));
    const failure = closed.find((each) => each.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  }

  async #closeStore(store: TestStore): Promise<void> {
    if (this.#stores.delete(store)) await store[Symbol.asyncDispose]();
  }

  /** Adds the fault hook for stores whose operations are one storage call. */
  #withFaults(store: TestStore): TestStore {
    if (store.failStorageCall !== undefined || this.#factory.capabilities.storageCalls === "several")
      return store;
    const { provider, failStorageCall } = withBoundaryFaults(store.provider);
    return withMembers(store, { provider, failStorageCall });
  }

  #contextOf(store: TestStore, provider: CaseContext["provider"]): CaseContext {
    const { capabilities } = this.#factory;
    return {
      provider,
      store,
      capabilities,
      time: this.#time,
      check: this.check,
      lockMs: capabilities.lockMs ?? DEFAULT_LOCK_MS[capabilities.clock],
      responseMs: capabilities.responseMs ?? DEFAULT_RESPONSE_MS,
      admin: provider.admin,
      openStore: () => this.openStore(),
      openAnother: async () => {
        if (store.openAnother !== undefined) return this.#contextOf(store, await store.openAnother());
        throw new Error("this case uses `openAnother` and must say so in its `needs`");
      },
    };
  }

  async #idle(): Promise<void> {
    await Promise.all([...this.#stores].map((store) => store.idle?.()));
  }
}

/** The store with some members exchanged; the others keep their `this`, which may have private fields. */
function withMembers(store: TestStore, members: Partial<TestStore>): TestStore {
  return new Proxy(store, {
    get(target, property) {
      if (property in members) return Reflect.get(members, property);
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Why the case cannot be run on this store. Only faults are not optional: the kit has them itself where it can. */
function missing(needs: readonly Need[], context: CaseContext): string | undefined {
  const unmet = needs.find((need) => !isMet(need, context));
  if (unmet === "faults") throw new Error(FAULTS_ARE_REQUIRED);
  return unmet === undefined ? undefined : REASONS[unmet];
}

const FAULTS_ARE_REQUIRED =
  'the store claims `storageCalls: "several"` and has no hook `failStorageCall`. Give the object that `open` returns ' +
  "a method failStorageCall(nth, when) that makes its nth storage call from then on fail, before or after the store " +
  "has carried it out, and that returns { fired, disarm() }";

function isMet(need: Need, { provider, store, capabilities }: CaseContext): boolean {
  switch (need) {
    case "long-polling":
      return capabilities.polling === "long";
    case "short-polling":
      return capabilities.polling === "short";
    case "corrupt-history":
      return store.corruptHistory !== undefined;
    case "attempt-counts":
      return store.maxAttemptCount !== undefined;
    case "undecodable-rows":
      return store.putUndecodableRow !== undefined;
    case "several-providers":
      return store.openAnother !== undefined;
    case "faults":
      return store.failStorageCall !== undefined;
    case "history-tags":
      return capabilities.historyTags === true;
    case "watching":
      return provider.watchInstance !== undefined;
    case "changed-instances":
      return provider.changedInstances !== undefined;
    case "streams":
      return provider.appendStream !== undefined;
    case "limits":
      return provider.limits !== undefined;
    case "virtual-time":
      return capabilities.clock === "virtual";
  }
}

const REASONS: Readonly<Record<Exclude<Need, "faults">, string>> = {
  "long-polling": "only for providers whose fetches wait",
  "short-polling": "only for providers whose fetches return at once",
  "corrupt-history": "the store has no hook `corruptHistory`",
  "attempt-counts": "the store has no hook `maxAttemptCount`",
  "undecodable-rows": "the store has no hook `putUndecodableRow`",
  "several-providers": "the store cannot be opened twice: it has no hook `openAnother`",
  "history-tags": "the provider does not claim history tags",
  watching: "the provider has no `watchInstance`",
  "changed-instances": "the provider has no `changedInstances`",
  limits: "the provider has no `limits`",
  streams: "the provider has no `appendStream`",
  "virtual-time": "only for stores whose clock is virtual",
};
