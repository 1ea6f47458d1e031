/** ESLint as a project has it, with the types that the plugin has of it, so that the tests run with any version. */
import { createRequire } from "node:module";
import { afterAll, describe, it } from "vitest";
import plugin from "../../src/index.ts";
import type { Rule } from "../../src/syntax/eslint.ts";

export interface Finding {
  readonly ruleId: string | null;
  readonly message: string;
  readonly messageId?: string;
  readonly line: number;
}

interface Linter {
  verify(code: string, config: readonly object[], file: string): Finding[];
}

/** A mistake, what is reported of it, and the code after the change. */
export interface InvalidCase {
  readonly name?: string;
  readonly code: string;
  readonly output?: string | null;
  readonly errors: readonly (
    | {
        readonly messageId: string;
        readonly suggestions?: number | readonly object[];
        readonly line?: number;
      }
    | { readonly message: string | RegExp }
  )[];
}

interface RuleTester {
  run(
    name: string,
    rule: Rule,
    cases: { readonly valid: readonly string[]; readonly invalid: readonly InvalidCase[] },
  ): void;
}

interface Eslint {
  readonly Linter: new () => Linter;
  readonly RuleTester: (new (config: object) => RuleTester) & Record<string, unknown>;
}

const parts = createRequire(import.meta.url);
const { Linter, RuleTester } = parts("eslint") as Eslint;
const LANGUAGE = {
  files: ["**/*.{ts,js,tsx,mjs,cjs,mts,cts}"],
  languageOptions: { parser: parts("@typescript-eslint/parser") as object },
};

Object.assign(RuleTester, { describe, it, afterAll });

/** Runs the cases of a rule, whose code needs no imports of the package. */
export function testRule(name: string, cases: Parameters<RuleTester["run"]>[2]): void {
  const rule = plugin.rules[name];
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  const { files: _, ...language } = LANGUAGE;
  new RuleTester(language).run(name, rule, {
    valid: cases.valid.map(withImports),
    invalid: cases.invalid.map(({ code, output, ...rest }) => ({
      ...rest,
      code: withImports(code),
      ...(typeof output === "string" ? { output: withImports(output) } : {}),
    })),
  });
}

const IMPORTS =
  'import { activity, orchestration, event, queue, type OrchestrationContext } from "@duroxide-ts/core";';

function withImports(code: string): string {
  return code.includes("@duroxide-ts/core") ? code : `${IMPORTS}\n${code}`;
}

/** Runs the recommended config on a file. */
export function findingsIn(code: string, file = "file.ts"): Finding[] {
  return new Linter().verify(code, [LANGUAGE, plugin.configs.recommended], file);
}
