/** The API reference (`npm run docs`) covers every public declaration, and its links lead somewhere. */

import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { IS_DEEP } from "../support/effort.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

it.runIf(IS_DEEP)("the API reference is made without warnings", () => {
  const program = path.join(ROOT, "node_modules/typedoc/bin/typedoc");
  const result = spawnSync(process.execPath, [program, "--emit", "none", "--logLevel", "Warn"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(`${result.stdout}${result.stderr}`.trim()).toBe("");
  expect(result.status).toBe(0);
});
