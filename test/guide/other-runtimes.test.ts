/**
 * Bun and Deno run the programs of the guide, which assert what its pages claim, on the packed packages. Both come from the
 * registry, so `npm run dev -- test:deep` runs it. What differs is in packages/core/README.md.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../readme/commands.ts";
import { IS_DEEP } from "../support/effort.ts";
import { listFiles } from "../tidy/repository.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAMS = listFiles("examples/guide", ".ts").filter((file) => /\/\d/.test(file));
/** Packages that the programs import beside ours. */
const LIBRARIES = "zod hono express fastify ai @hono/node-server";

describe.runIf(IS_DEEP)("the programs of the guide", () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "duroxide-runtimes-"));
    writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
    cpSync(path.join(ROOT, "examples/guide"), path.join(folder, "guide"), { recursive: true });
    await run(`node scripts/run.cjs pack --to ${JSON.stringify(path.join(folder, "packed"))}`, ROOT);
    await run(
      `npm install --no-audit --no-fund --no-offline bun@1 deno@2 ${LIBRARIES} ./packed/*.tgz`,
      folder,
    );
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PROGRAMS.map((file) => path.basename(file)))("%s runs in Bun", async (program) => {
    await expect(run(`node_modules/.bin/bun guide/${program}`, folder)).resolves.toBeDefined();
  });

  it.each(PROGRAMS.map((file) => path.basename(file)))("%s runs in Deno", async (program) => {
    await expect(run(`node_modules/.bin/deno run -A guide/${program}`, folder)).resolves.toBeDefined();
  });
});
