/** The rules to which the kit holds its own cases, and the stores that it opens. */
import { MemoryProvider } from "@duroxide-ts/core/testing";
import {
  type Capabilities,
  type CaseContext,
  type Need,
  type ProviderCase,
  type ProviderFactory,
  providerCases,
  runCase,
  type TestStore,
} from "@duroxide-ts/provider-tests";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memory } from "./support/memory.ts";

function caseOf(run: (context: CaseContext) => Promise<void>, ...needs: Need[]): ProviderCase {
  return { group: "own", name: "a case", needs, run };
}

const passes = async ({ check }: CaseContext): Promise<void> => check.isTrue(true, "nothing");

/** Stores in memory without any hook, which count how often they are closed. */
class PlainFactory implements ProviderFactory {
  readonly name = "plain";
  readonly capabilities: Capabilities;
  readonly hooks: Partial<TestStore>;
  opened = 0;
  closed = 0;

  constructor(claims: Partial<Capabilities> = {}, hooks: Partial<TestStore> = {}) {
    this.capabilities = { clock: "virtual", polling: "long", storageCalls: "one", ...claims };
    this.hooks = hooks;
  }

  async open({ clock }: Parameters<ProviderFactory["open"]>[0]): Promise<TestStore> {
    this.opened++;
    const close = async (): Promise<void> => {
      this.closed++;
    };
    return { provider: new MemoryProvider({ clock }), [Symbol.asyncDispose]: close, ...this.hooks };
  }
}

describe("a case", () => {
  it("passes when it asserts something, and says how much", async () => {
    const twice = caseOf(async (context) => {
      await passes(context);
      await passes(context);
    });
    expect(await runCase(twice, new PlainFactory())).toEqual({ kind: "passed", checks: 2 });
  });

  it("that asserts nothing fails", async () => {
    const empty = caseOf(async ({ provider }) => {
      await provider.getInstanceStatus("a");
    });
    await expect(runCase(empty, new PlainFactory())).rejects.toThrow("own/a case asserts nothing");
  });

  it("fails with the error that it throws", async () => {
    const failing = caseOf(async ({ check }) => check.equal(1, 2, "the sum"));
    await expect(runCase(failing, new PlainFactory())).rejects.toThrow("the sum");
  });

  it("has a store of its own each time", async () => {
    const ids: string[] = [];
    const factory: ProviderFactory = {
      ...memory,
      open(options) {
        ids.push(options.storeId);
        return memory.open(options);
      },
    };
    await runCase(caseOf(passes), factory);
    await runCase(caseOf(passes), factory);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,40}$/);
  });

  it("can open further stores that share nothing but the clock", async () => {
    const several = caseOf(async ({ check, openStore, provider, time }) => {
      const other = await openStore();
      check.notEqual(other.provider, provider, "the provider");
      await time.pass(5);
      check.equal(other.time.now(), time.now(), "the time");
    });
    expect(await runCase(several, new PlainFactory())).toEqual({ kind: "passed", checks: 2 });
  });
});

describe("the stores of a case", () => {
  const stuck = { [Symbol.asyncDispose]: () => Promise.reject(new Error("still open")) };

  it.each([
    ["that passes", passes],
    ["that throws", () => Promise.reject(new Error("broken"))],
  ])("%s are closed, all of them", async (_, run) => {
    const factory = new PlainFactory();
    const outcome = runCase(
      caseOf(async (context) => {
        await context.openStore();
        await run(context);
      }),
      factory,
    );
    await outcome.catch(() => {});
    expect([factory.opened, factory.closed]).toEqual([2, 2]);
  });

  it("that is skipped are closed", async () => {
    const factory = new PlainFactory();
    await runCase(caseOf(passes, "short-polling"), factory);
    expect([factory.opened, factory.closed]).toEqual([1, 1]);
  });

  it("must be possible to close", async () => {
    await expect(runCase(caseOf(passes), new PlainFactory({}, stuck))).rejects.toThrow("still open");
  });

  it("that cannot be closed do not hide why the case failed", async () => {
    const failing = caseOf(() => Promise.reject(new Error("broken")));
    await expect(runCase(failing, new PlainFactory({}, stuck))).rejects.toThrow("broken");
  });

  it("keep the private fields of a class of their own", async () => {
    class Store implements TestStore {
      readonly provider = new MemoryProvider();
      readonly #attempts = 7;
      async maxAttemptCount(): Promise<number> {
        return this.#attempts;
      }
      async [Symbol.asyncDispose](): Promise<void> {}
    }
    const factory: ProviderFactory = { ...memory, open: async () => new Store() };
    const looking = caseOf(async ({ check, store }) => {
      check.equal(await store.maxAttemptCount?.("a"), 7, "attempts");
    }, "attempt-counts");
    expect((await runCase(looking, factory)).kind).toBe("passed");
  });
});

describe("a case whose needs are not met", () => {
  it.each<[Need, string]>([
    ["short-polling", "only for providers whose fetches return at once"],
    ["corrupt-history", "the store has no hook `corruptHistory`"],
    ["attempt-counts", "the store has no hook `maxAttemptCount`"],
    ["undecodable-rows", "the store has no hook `putUndecodableRow`"],
    ["several-providers", "the store cannot be opened twice: it has no hook `openAnother`"],
    ["history-tags", "the provider does not claim history tags"],
  ])("is skipped with the reason: %s", async (need, reason) => {
    expect(await runCase(caseOf(passes, need), new PlainFactory())).toEqual({ kind: "skipped", reason });
  });

  it("is skipped where fetches do not wait", async () => {
    const reason = "only for providers whose fetches wait";
    const short = new PlainFactory({ polling: "short" });
    expect(await runCase(caseOf(passes, "long-polling"), short)).toEqual({ kind: "skipped", reason });
  });

  it.each<[Need, keyof MemoryProvider, string]>([
    ["watching", "watchInstance", "the provider has no `watchInstance`"],
    ["changed-instances", "changedInstances", "the provider has no `changedInstances`"],
  ])("is skipped where the provider has no such part: %s", async (need, member, reason) => {
    const provider = new MemoryProvider();
    Object.defineProperty(provider, member, { value: undefined });
    const factory = new PlainFactory({}, { provider });
    expect(await runCase(caseOf(passes, need), factory)).toEqual({ kind: "skipped", reason });
  });

  it("fails where the store makes several storage calls and has no hook to make them fail", async () => {
    const factory = new PlainFactory({ storageCalls: "several" });
    await expect(runCase(caseOf(passes, "faults"), factory)).rejects.toThrow("failStorageCall(nth, when)");
    expect((await runCase(caseOf(passes), factory)).kind).toBe("passed");
  });

  it("fails with an error that names its missing need", async () => {
    const usesAnother = caseOf(async ({ openAnother }) => {
      await openAnother();
    });
    await expect(runCase(usesAnother, new PlainFactory())).rejects.toThrow("must say so in its `needs`");
  });
});

describe("what a case may take for granted", () => {
  it.each([
    [{}, { lockMs: 30_000, responseMs: 100 }],
    [{ clock: "system" }, { lockMs: 5_000, responseMs: 100 }],
    [
      { lockMs: 700, responseMs: 500 },
      { lockMs: 700, responseMs: 500 },
    ],
  ] as const)("follows from what the factory claims: %j", async (claims, expected) => {
    const looking = caseOf(async ({ check, lockMs, responseMs }) => {
      check.equal({ lockMs, responseMs }, expected, "the defaults");
    });
    expect((await runCase(looking, new PlainFactory(claims))).kind).toBe("passed");
  });

  it("is a fault at any call, where an operation is one call", async () => {
    const failing = caseOf(async ({ check, provider, store }) => {
      const fault = store.failStorageCall?.(1, "before");
      await check.rejects(provider.readHistory("a"), "unavailable", "the call");
      check.isTrue(fault?.fired === true, "the fault has fired");
    }, "faults");
    expect((await runCase(failing, new PlainFactory())).kind).toBe("passed");
  });
});

it("the cases pass in any order, all at the same time", async () => {
  const everyCase = fc.shuffledSubarray([...providerCases], { minLength: providerCases.length });
  const [shuffled = []] = fc.sample(everyCase, { seed: 20_240_229, numRuns: 1 });
  const outcomes = await Promise.allSettled(shuffled.map((each) => runCase(each, memory)));
  const failed = outcomes.flatMap((outcome, index) =>
    outcome.status === "rejected"
      ? [`${shuffled[index]?.group}/${shuffled[index]?.name}: ${outcome.reason}`]
      : [],
  );
  expect(failed).toEqual([]);
  expect(outcomes.length).toBe(providerCases.length);
});
