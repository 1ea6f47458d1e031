import { expect, it } from "vitest";
import { compile } from "../../../test/support/compile.ts";
import { read } from "../../../test/tidy/repository.ts";
import plugin from "../src/index.ts";
import { findingsIn } from "./support/eslint.ts";

it("the recommended config has every rule as an error", () => {
  const rules = Object.keys(plugin.rules).map((name) => [`duroxide/${name}`, "error"]);
  expect(plugin.configs.recommended.rules).toEqual(Object.fromEntries(rules));
});

it("the version of the plugin is that of its package", () => {
  const { version } = JSON.parse(read("packages/eslint-plugin/package.json")) as { version: string };
  expect(plugin.meta.version).toBe(version);
});

it("the page of the guide explains every rule, and no other", () => {
  const explained = Array.from(
    read("docs/guide/28-lint.md").matchAll(/^\| `(no-[a-z-]+)`/gm),
    ([, name]) => name,
  );
  expect(explained.sort()).toEqual(Object.keys(plugin.rules).sort());
});

it("a file that has nothing of the package is not read", () => {
  expect(
    findingsIn(
      `export const orchestration = (name, run) => run(name);\norchestration("o", (ctx) => Date.now());`,
    ),
  ).toEqual([]);
});

it("the recommended config has the type of ESLint's configs", () => {
  const config = `import duroxide from "@duroxide-ts/eslint-plugin";
import { defineConfig } from "eslint/config";
export const config = defineConfig([{ plugins: { duroxide } }, duroxide.configs.recommended]);
`;
  expect(compile([config])).toEqual([[]]);
});
