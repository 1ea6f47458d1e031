/** The kit catches every fault that is put into the in-memory provider, one at a time. */
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { smallSample } from "../../../test/support/effort.ts";
import { fusedMutants } from "./mutants/fused.ts";
import { instanceMutants } from "./mutants/instances.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { faultyText, mutate } from "./mutants/mutate.ts";
import { queryMutants } from "./mutants/queries.ts";
import { revisionMutants } from "./mutants/revisions.ts";
import { startMutants } from "./mutants/starts.ts";
import { streamMutants } from "./mutants/streams.ts";
import { turnMutants } from "./mutants/turns.ts";
import { workMutants } from "./mutants/work.ts";

const kinds: readonly (readonly Mutant[])[] = [
  turnMutants,
  workMutants,
  fusedMutants,
  instanceMutants,
  startMutants,
  revisionMutants,
  queryMutants,
  streamMutants,
];
const mutants = kinds.flat();

/** Some of each kind. */
const hunted = kinds.flatMap(smallSample);

/** Limit of a case, ms: a mutant may make it run for ever. Not of all cases, which may take longer on a slow machine. */
const PATIENCE_MS = 60_000;

const report = new Map<Mutant, string>();

/** The case that catches the mutant. */
async function hunt(mutant: Mutant): Promise<string | undefined> {
  const provider = mutate(mutant);
  const worker = new Worker(new URL("./mutants/hunt.ts", import.meta.url), {
    workerData: { provider },
    execArgv: ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"],
  });
  let last: string | undefined;
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      const timer = setTimeout(() => resolve(`${last} (it never ended)`), PATIENCE_MS);
      worker.on("error", reject);
      worker.on("message", ({ begun, ended }: { begun?: string; ended?: boolean }) => {
        last = begun ?? last;
        timer.refresh();
        if (ended === undefined) return;
        clearTimeout(timer);
        resolve(ended ? last : undefined);
      });
    });
  } finally {
    await worker.terminate();
    rmSync(dirname(fileURLToPath(provider)), { recursive: true, force: true });
  }
}

describe("a provider that", () => {
  it.concurrent.each(hunted.map((mutant) => [mutant.name, mutant] as const))(
    "%s is caught",
    async (_, mutant) => {
      const by = await hunt(mutant);
      report.set(mutant, by ?? "SURVIVED");
      expect(by, "no case notices it").toBeDefined();
    },
  );

  it.each(mutants)("$name is the provider with one change", (mutant) => {
    expect(() => faultyText(mutant)).not.toThrow();
  });

  it("has at least 25 faults to choose from, each once", () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThanOrEqual(25);
  });
});

afterAll(() => {
  const lines = [...report].map(([{ name }, by]) => `  ${name}\n    ${by}`);
  stdout.write(`Mutants of the in-memory provider, and the case that caught each:\n${lines.join("\n")}\n`);
});
