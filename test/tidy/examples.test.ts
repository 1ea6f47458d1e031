/** Code that editors and the site show, and that is in no program, compiles against the packages as they are. */
import path from "node:path";
import { expect, it } from "vitest";
import {
  codeOfPage,
  examplesOf,
  type LooseCode,
  moduleOf,
  pagesOf,
} from "../../scripts/api-examples/shown-code.ts";
import { compile, type Finding } from "../support/compile.ts";
import { listShippedSources, read } from "./repository.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** A package that is not installed here, or another program of the same page. */
const MISSING_MODULE = 2307;

function faultsOf(codes: readonly LooseCode[]): readonly object[] {
  const found = compile(
    codes.map((code) => moduleOf(code).text),
    { allowUnused: true },
  );
  const texts = (findings: readonly Finding[]): string[] =>
    findings.filter(({ code }) => code !== MISSING_MODULE).flatMap(({ lines }) => lines);
  return found
    .map((findings, index) => ({ ...codes[index], findings: texts(findings) }))
    .filter(({ findings }) => findings.length > 0);
}

it("every example of a docstring compiles", () => {
  const examples = listShippedSources().flatMap((file) =>
    examplesOf(read(file)).map(({ code }) => ({ text: code, shown: { title: file, address: "", rank: 0 } })),
  );
  expect(faultsOf(examples)).toEqual([]);
  expect(examples.length).toBeGreaterThan(30);
});

it("every block of a page that is no region of a program compiles", () => {
  const blocks = pagesOf(ROOT)
    .flatMap((page) => codeOfPage(ROOT, page))
    .filter((each) => "text" in each);
  expect(faultsOf(blocks)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(20);
});

/** Files of `packages/core/src` with the methods that programs and tests call. */
const CALLED = [
  "client/admin.ts",
  "client/admin-reads.ts",
  "client/client.ts",
  "client/limits.ts",
  "client/schedules/schedules.ts",
  "define/key-values.ts",
  "define/orchestration-context.ts",
  "define/saga.ts",
  "define/showing-status.ts",
  "define/stream.ts",
  "define/time-and-chance.ts",
  "runtime/runtime.ts",
  "testing/environment/test-environment.ts",
  "testing/environment/test-run.ts",
];

const METHOD = /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\n {2}(?:static )?(?:async )?\*?(\w+)[<(]/gm;

it.each(CALLED)("every method of %s that has a description has an example", (file) => {
  const methods = [...read(`packages/core/src/${file}`).matchAll(METHOD)];
  const shown = methods.filter(([, description = ""]) => description.includes("@example"));
  // One example serves all signatures of a name.
  const names = new Set(["constructor", ...shown.map(([, , name]) => name)]);
  expect(methods.map(([, , name]) => name).filter((name) => !names.has(name))).toEqual([]);
});
