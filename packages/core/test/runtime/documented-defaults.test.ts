/** The defaults that the pages name are those of the runtime. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { resolveOptions } from "../../src/runtime/options/options.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../../docs");
const read = (page: string): string => readFileSync(path.join(DOCS, page), "utf8");

const defaults = resolveOptions({ provider: new MemoryProvider() }) as unknown as Readonly<
  Record<string, unknown>
>;

it("docs/coming-from.md: turns and activities at a time", () => {
  const { orchestrationConcurrency, workerConcurrency } = defaults;
  expect(read("coming-from.md")).toContain(
    `${orchestrationConcurrency} turns and ${workerConcurrency} activities at a time`,
  );
});

it("docs/guide/10-workers.md: numbers in tables, and times in seconds", () => {
  const page = read("guide/10-workers.md");
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name = "", value = ""]) => ({
    name,
    value: Number(value.replaceAll(",", "")),
  }));
  const times = [...page.matchAll(/([\d.]+) s \(`(\w+Ms)`\)/g)].map(([, seconds, name = ""]) => ({
    name,
    value: Number(seconds) * 1_000,
  }));
  const named = [...rows, ...times];
  expect(named.length).toBeGreaterThanOrEqual(5);
  expect(named).toEqual(named.map(({ name }) => ({ name, value: defaults[name] })));
});
