/** A project of a user that consists of one copied test, the history that it reads, and the handlers of the shop. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

const VITEST_PACKAGE = createRequire(import.meta.url).resolve("vitest/package.json");
const VITEST = path.join(path.dirname(VITEST_PACKAGE), "vitest.mjs");
const SHOP = path.join(import.meta.dirname, "shop.ts");

/** The packages of this repository as they are in its sources. */
const CONFIG = `const conditions = ["@duroxide-ts/source"];
export default { resolve: { conditions }, ssr: { resolve: { conditions } } };
`;

interface Outcome {
  readonly code: number;
  readonly printed: string;
}

/** Runs the test by Vitest, beside the history under the name that it was downloaded with. */
export async function runCopiedTest(
  test: string,
  history: { readonly name: string; readonly content: string },
): Promise<Outcome> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "copied-test-"));
  try {
    const files: Readonly<Record<string, string>> = {
      "vitest.config.mjs": CONFIG,
      "src/handlers.ts": `export { orchestrations } from ${JSON.stringify(SHOP)};\n`,
      "test/copied.test.ts": test,
      [`test/histories/${history.name}`]: history.content,
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
    await symlink(
      path.resolve(path.dirname(VITEST_PACKAGE), ".."),
      path.join(folder, "node_modules"),
      "junction",
    );
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(cwd: string): Promise<Outcome> {
  // Removes the variables of this test's runner, because the started runner would use them.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|TEST$)/.test(name)),
  );
  const child = spawn(process.execPath, [VITEST, "run"], { cwd, env: { ...env, NO_COLOR: "1" } });
  const [printed, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: Number(code), printed: `${printed}${complaints}` };
}
