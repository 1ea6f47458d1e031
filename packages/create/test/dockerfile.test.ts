/**
 * The Dockerfiles of the templates and of the example are valid. Their checker comes from the registry, so
 * `npm run dev -- test:deep` runs this; a nightly workflow checks them with Docker, and compiles the Bicep file.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { exists, read } from "../../../test/tidy/repository.ts";

const CHECKER = "dockerfile-utils@0.16.3";
const FILES = ["packages/create/templates/http", "packages/create/templates/fleet", "examples/http"];

interface Checker {
  validate(text: string): readonly { readonly message: string }[];
}

describe.runIf(IS_DEEP)("Dockerfiles", () => {
  let folder: string;
  let checker: Checker;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "duroxide-dockerfiles-"));
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", "--prefix", folder, CHECKER], {
      env: { ...process.env, npm_config_offline: "false" },
      shell: process.platform === "win32",
    });
    checker = createRequire(path.join(folder, "of-here.js"))("dockerfile-utils") as Checker;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(FILES)("that of %s has no fault", (template) => {
    expect(checker.validate(read(`${template}/Dockerfile`))).toEqual([]);
  });

  it("with a fault is found out", () => {
    expect(checker.validate("FROM node\nRUNN npm ci\n").map(({ message }) => message)).toEqual([
      "Unknown instruction: RUNN",
    ]);
  });
});

it.each(FILES.slice(0, 2))("the Dockerfile of %s starts a program of the template", (template) => {
  const program = /^CMD \["node", "([^"]+)"\]$/m.exec(read(`${template}/Dockerfile`))?.[1];
  expect(exists(`${template}/${program}`)).toBe(true);
});
