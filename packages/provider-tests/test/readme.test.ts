/**
 * README.md is right: it shows programs of the folder readme, which compile and do what it says, and a provider that
 * is built in the order of its table passes the groups of each step.
 *
 * After a change of a program, `npm test -- packages/provider-tests/test/readme -u` writes it into the page.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Provider } from "@duroxide-ts/core/stores";
import {
  type ProviderCase,
  type ProviderFactory,
  providerCases,
  runCase,
  stressFromFlags,
} from "@duroxide-ts/provider-tests";
import { describe, expect, it } from "vitest";
import { blocksOf, regionsOf, withBlocks } from "../../../test/guide/snippets.ts";
import { report } from "./readme/any-runner.ts";
import { myStore } from "./readme/factory.ts";
import { ownCases } from "./readme/own-cases.ts";
import { memory } from "./support/memory.ts";

const PAGE = fileURLToPath(new URL("../README.md", import.meta.url));
const PROGRAMS = new URL("./readme/", import.meta.url);
const page = readFileSync(PAGE, "utf8");

const regions = new Map(
  readdirSync(PROGRAMS).flatMap((file) =>
    [...regionsOf(readFileSync(new URL(file, PROGRAMS), "utf8"))].map(
      ([region, code]) => [`${file}#${region}`, code] as const,
    ),
  ),
);

describe("the programs of the README", () => {
  const shown = blocksOf(page).map(({ marker }) => `${marker?.program}#${marker?.region}` as const);

  it("are regions of real ones", async () => {
    const codes = shown.map((name) => regions.get(name) ?? `// There is no region ${name}.`);
    await expect(withBlocks(page, codes)).toMatchFileSnapshot(PAGE);
    expect(shown.filter((name) => !regions.has(name))).toEqual([]);
  });

  it("are all shown", () => {
    expect([...regions.keys()].filter((name) => !shown.includes(name))).toEqual([]);
  });

  it("open a store that behaves, and loop over the cases", () => {
    expect(report).toContain("test_long_poll_waits_for_timeout: passed");
  });

  it("add a case that passes, and that fails on a store that loses events", async () => {
    for (const each of ownCases) {
      expect((await runCase(each, myStore)).kind).toBe("passed");
      await expect(runCase(each, withProvider(myStore, forgetful))).rejects.toThrow();
    }
  });
});

it("the flags of the stress scenarios exist", async () => {
  const section = page.slice(page.indexOf("## Stress"), page.indexOf("## Building"));
  const flags = new Set(section.match(/--[a-z-]+/g));
  expect(flags.size).toBeGreaterThan(5);
  for (const flag of flags) {
    await expect(stressFromFlags(myStore, [flag, "many"]), flag).rejects.toThrow("must be");
  }
});

describe("a provider that is built in the order of the README", () => {
  const steps = stepsOf(page);

  it("has every group in its table, once", () => {
    const listed = steps.flatMap(({ groups }) => groups);
    expect(listed.toSorted()).toEqual([...new Set(providerCases.map(({ group }) => group))].toSorted());
  });

  it.each(steps)(
    "passes the groups of each step without the later ones: $name",
    { timeout: 300_000 },
    async ({ groups, written }) => {
      const unfinished = withProvider(memory, (provider) => only(provider, written));
      const cases = providerCases.filter(({ group }) => groups.includes(group));
      const outcomes = await Promise.allSettled(cases.map((each) => runCase(each, unfinished)));
      expect(outcomes.flatMap((outcome, index) => failureOf(outcome, cases[index]))).toEqual([]);
    },
  );
});

interface Step {
  readonly name: string;
  /** The methods of this step and of those before it. */
  readonly written: readonly string[];
  readonly groups: readonly string[];
}

/** The rows of the table: step, files, methods, groups. */
function stepsOf(text: string): readonly Step[] {
  const written: string[] = [];
  return [...text.matchAll(/^\| (\d\. [^|]+) \|[^|]+\|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, name = "", methods = "", groups = ""]) => {
      written.push(...codesIn(methods));
      return { name, written: [...written], groups: codesIn(groups) };
    },
  );
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code);
}

/** A case of an earlier group may need the administration, which comes later. */
function failureOf(outcome: PromiseSettledResult<unknown>, { group, name } = {} as ProviderCase): string[] {
  if (outcome.status === "fulfilled" || String(outcome.reason).includes(NO_ADMIN)) return [];
  return [`${group}/${name}: ${outcome.reason}`];
}

const NO_ADMIN = "the administration is not written yet";

function withProvider(factory: ProviderFactory, change: (provider: Provider) => Provider): ProviderFactory {
  return {
    ...factory,
    async open(options) {
      const store = await factory.open(options);
      const { provider, openAnother } = store;
      return {
        ...store,
        provider: change(provider),
        ...(openAnother && { openAnother: async () => change(await openAnother()) }),
      };
    },
  };
}

const ABSENT: ReadonlySet<PropertyKey> = new Set([
  "watchInstance",
  "changedInstances",
  "appendStream",
  "readProgress",
]);

/** The provider before its other methods are written. */
function only(provider: Provider, written: readonly string[]): Provider {
  return new Proxy(provider, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      const isWritten = typeof property === "symbol" || written.includes(property);
      if (isWritten) return typeof member === "function" ? member.bind(target) : member;
      if (ABSENT.has(property)) return undefined;
      if (property === "admin") return new Proxy({}, { get: () => rejecting(NO_ADMIN) });
      return typeof member === "function" ? rejecting(`${property} is not written yet`) : member;
    },
  });
}

function rejecting(reason: string): () => Promise<never> {
  return () => Promise.reject(new Error(reason));
}

/** Takes events and keeps none. */
function forgetful(provider: Provider): Provider {
  return new Proxy(provider, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (property === "enqueueForOrchestrator") {
        return (item: Parameters<Provider["enqueueForOrchestrator"]>[0]) =>
          item.kind === "ExternalRaised" ? Promise.resolve() : target.enqueueForOrchestrator(item);
      }
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
