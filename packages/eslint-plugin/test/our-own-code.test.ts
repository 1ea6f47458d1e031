/** The examples and the pages have no mistakes but those that they show on purpose. */
import { expect, it } from "vitest";
import { listFiles, read } from "../../../test/tidy/repository.ts";
import { findingsIn } from "./support/eslint.ts";

/** Mistakes that programs of the guide make on purpose, and the only ones in them. */
const ON_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  "examples/guide/09-determinism.ts": ["no-clock", "no-io", "no-module-state"],
  // A set is refused, and a codec of its own carries integers without a limit.
  "examples/guide/12-payloads.ts": ["no-unstorable-values"],
  "examples/guide/18-steps.ts": ["no-outer-context"],
};

it("the examples and the templates have no mistakes but those that pages show", () => {
  const files = ["examples", "packages/create/templates"].flatMap((folder) => listFiles(folder, ".ts"));
  const found = files.flatMap((file) => {
    const rules = findingsIn(read(file), file).map(
      ({ ruleId }) => ruleId?.replace("duroxide/", "") ?? "parse",
    );
    return rules.length === 0 ? [] : [[file, [...new Set(rules)].sort()]];
  });
  expect(Object.fromEntries(found)).toEqual(ON_PURPOSE);
});

const NAMES =
  'import { activity, event, key, orchestration, question, queue, stream, type OrchestrationContext } from "@duroxide-ts/core";';

it("blocks of the pages, which the guide takes from its programs, have no mistakes", () => {
  const pages = ["docs", "packages"].flatMap((folder) => listFiles(folder, ".md"));
  const blocks = ["README.md", ...pages].flatMap((page) =>
    Array.from(
      read(page).matchAll(/(?:<!-- ([\w.-]+)#[^\n]*-->\n)?```ts\n([\s\S]*?)```/g),
      ([, program, code = ""]) => ({
        page,
        program: `examples/guide/${program}`,
        code: code.includes('from "@duroxide-ts/core"') ? code : `${NAMES}\n${code}`,
      }),
    ),
  );
  const found = blocks
    .filter(({ program }) => ON_PURPOSE[program] === undefined)
    .flatMap(({ page, code }) => findingsIn(code).map((finding) => ({ page, ...finding })));
  // A block may be a part of a program, such as the options of a call.
  expect(found.filter(({ ruleId }) => ruleId !== null)).toEqual([]);
  expect(found.length).toBeLessThan(blocks.length / 5);
});
