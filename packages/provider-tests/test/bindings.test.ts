/** The kit in both test runners, as an author of a provider runs it: in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { providerCases } from "@duroxide-ts/provider-tests";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const VITEST = path.join(
  path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);

/** Reasons to skip, each something that the store does not claim or have, and a case that is skipped for it. */
const SKIPPED = [
  ["only for providers whose fetches wait", "test_long_poll_waits_for_timeout"],
  [
    "the store cannot be opened twice: it has no hook `openAnother`",
    "one history grows by turns on both sides",
  ],
  ["the provider does not claim history tags", "a held history is left out"],
  ["the provider has no `watchInstance`", "a watcher is told of the commits that clients can see"],
  [
    "the provider has no `changedInstances`",
    "the changed of many instances are named, and another commit changes their text",
  ],
] as const;

it("node:test runs every case, and says of each that it skips why", async () => {
  const file = "packages/provider-tests/test/support/in-node-test.ts";
  const tap = await node(["--conditions=@duroxide-ts/source", "--test", "--test-reporter=tap", file]);

  const reasons = new Map(
    [...tap.matchAll(/^ +ok \d+ - (.*) # SKIP (.*)$/gm)].map(([, name, reason]) => [name, reason]),
  );
  for (const [reason, name] of SKIPPED) expect(reasons.get(name)).toBe(reason);
  expect(new Set(reasons.values())).toEqual(new Set(SKIPPED.map(([reason]) => reason)));
  expect(tap).toContain(`\n# tests ${providerCases.length}\n`);
  expect(tap).toContain(`\n# pass ${providerCases.length - reasons.size}\n`);
});

it("Vitest runs every case, and says why it skips some", async () => {
  const file = "packages/provider-tests/test/short-polling.test.ts";
  const printed = await node([VITEST, "run", "--reporter=dot", file]);

  const lines = [...printed.matchAll(/^short polling: (\d+) cases? skipped: (.*)$/gm)];
  expect(new Set(lines.map(([, , reason]) => reason))).toEqual(new Set(SKIPPED.map(([reason]) => reason)));
  const skipped = lines.reduce((sum, [, count]) => sum + Number(count), 0);
  const passed = providerCases.length - skipped;
  expect(printed).toContain(` ${passed} passed | ${skipped} skipped (${providerCases.length})\n`);
});

/** Returns what the program prints; fails with it if the program fails. */
async function node(args: readonly string[]): Promise<string> {
  // Removes the variables of this test's runner, because the started runner would use them.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_TEST|NODE_OPTIONS|TEST$)/.test(name)),
  );
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...env, NO_COLOR: "1" } });
  const [printed, complaints, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  expect(status, `${printed}${complaints}`).toBe(0);
  return printed;
}
