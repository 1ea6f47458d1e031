/** The kit has a case for each behaviour of the catalogue, under its group and name, and none of them twice. */
import { readFileSync } from "node:fs";
import { type ProviderCase, providerCases } from "@duroxide-ts/provider-tests";
import { describe, expect, it } from "vitest";

const PAGE = new URL("../../../docs/reference/upstream/validation-catalogue.md", import.meta.url);

interface Group {
  readonly name: string;
  /** How many tests the heading says there are. */
  readonly count: number;
  readonly tests: readonly string[];
}

/** The tables under headings such as `### atomicity (4)`: the first cell of a row is the name of a test. */
function groupsOf(page: string): readonly Group[] {
  return page
    .split(/^(?=##)/m)
    .map((section) => ({ section, heading: /^### (\w+) \((\d+)\)/.exec(section) }))
    .filter(({ heading }) => heading !== null)
    .map(({ section, heading }) => ({
      name: heading?.[1] ?? "",
      count: Number(heading?.[2]),
      tests: [...section.matchAll(/^\| (?!Test )(\w+)/gm)].map(([, test = ""]) => test),
    }));
}

/** Tests of methods that the contract does not have (docs/reference/provider-contract.md §20). */
const WITHOUT_METHOD: ReadonlySet<string> = new Set([
  "test_delete_get_instance_tree",
  "test_delete_instances_atomic_orphan_detection",
]);

const groups = groupsOf(readFileSync(PAGE, "utf8"));

/** A test that is run with several parameters has these in brackets, from the second run on. */
function testsOf(group: string): ReadonlySet<string> {
  const names = providerCases.filter((each) => each.group === group).map(({ name }) => name);
  return new Set(names.map((name) => name.replace(/ \(.*\)$/, "")));
}

describe("the catalogue", () => {
  it("has 233 tests in 20 groups, as many in each as its heading says", () => {
    expect(groups.length).toBe(20);
    expect(groups.map(({ name, tests }) => [name, tests.length])).toEqual(
      groups.map(({ name, count }) => [name, count]),
    );
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(233);
  });

  it.each(groups)("is covered test by test, and its groups have nothing else: $name", ({ name, tests }) => {
    expect(testsOf(name)).toEqual(new Set(tests.filter((test) => !WITHOUT_METHOD.has(test))));
  });
});

describe("the cases", () => {
  it("each have a group and name of their own", () => {
    const idOf = ({ group, name }: ProviderCase): string => `${group}/${name}`;
    const ids = providerCases.map(idOf);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("go beyond the catalogue in groups of their own", () => {
    const inCatalogue = new Set(groups.map(({ name }) => name));
    expect(providerCases.filter(({ group }) => !inCatalogue.has(group)).length).toBeGreaterThan(200);
  });
});
