/**
 * Durable code of other systems as it is published has no false positive. It comes from the registry, so
 * `npm run dev -- test:deep` runs this. Nothing is changed but what makes it orchestration code here: a handler names
 * the type of its context, and a method of a workflow without a context gets one.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { findingsIn } from "./support/eslint.ts";

interface CodeBase {
  readonly name: string;
  readonly version: string;
  readonly files: RegExp;
  readonly adapt: readonly [pattern: RegExp, text: string];
  /** Least number of handlers, so that the check is one of orchestration code. */
  readonly handlers: number;
}

/** Handlers that already have a context. */
const NAMED: readonly [RegExp, string] = [/\(ctx(?=[,)])/g, "(ctx: OrchestrationContext"];

const CODE_BASES: readonly CodeBase[] = [
  {
    name: "@restatedev/pubsub",
    version: "0.3.2",
    files: /^dist\/index\.js$/,
    adapt: [/(?<=(?:async |function \w+|return ))\(ctx(?=[,)])/g, NAMED[1]],
    handlers: 5,
  },
  {
    name: "@restatedev/vercel-ai-middleware",
    version: "0.4.0",
    files: /^dist\/index\.js$/,
    adapt: [/(?<=(?:= |function \w+|constructor))\(ctx(?=[,)])/g, NAMED[1]],
    handlers: 3,
  },
  {
    name: "@temporalio/ai-sdk",
    version: "1.23.0",
    files: /^src\/(provider|mcp)\.ts$/,
    adapt: [/(?<=^ {2,4}async \w+)\(/gm, "(ctx: OrchestrationContext, "],
    handlers: 4,
  },
];

const HANDLER = /\(ctx: OrchestrationContext[^{;]*?\)(?:: [^{;]*?)? (?:=> )?\{/g;

describe.runIf(IS_DEEP)("durable code of others", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "duroxide-real-code-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(CODE_BASES)("of $name has no finding, and a mistake in each handler is found", (base) => {
    const texts = filesOf(base, folder).map((text) => {
      const named = text.replaceAll(base.adapt[0], base.adapt[1]);
      return `import type { OrchestrationContext } from "@duroxide-ts/core";\n${named}`;
    });
    expect(texts.flatMap((text) => findingsIn(text))).toEqual([]);

    const spoilt = texts.map((text) => text.replaceAll(HANDLER, (head) => `${head} Date.now();`));
    const handlers = texts.flatMap((text) => text.match(HANDLER) ?? []).length;
    const found = spoilt.flatMap((text) => findingsIn(text));
    expect(found.map(({ ruleId }) => ruleId)).toEqual(
      Array.from({ length: handlers }, () => "duroxide/no-clock"),
    );
    expect(handlers).toBeGreaterThanOrEqual(base.handlers);
  });
});

/** Texts of the files of a package, whose archive npm fetches. */
function filesOf({ name, version, files }: CodeBase, folder: string): readonly string[] {
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, npm_config_offline: "false" },
      shell: process.platform === "win32",
    }).trim();
  const archive = run("npm", "pack", "--silent", `${name}@${version}`).split("\n").at(-1) ?? "";
  const to = mkdtempSync(path.join(folder, "package-"));
  run("tar", "-xzf", archive, "-C", to);
  const home = path.join(to, "package");
  const found = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((file) =>
    files.test(file.replaceAll("\\", "/")),
  );
  return found.map((file) => readFileSync(path.join(home, file), "utf8"));
}
