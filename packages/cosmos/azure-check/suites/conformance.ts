/** Phase 3: the conformance suite. What differs on the service is a fault of our endpoint, so nothing of it is a gate. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, type Outcome } from "@duroxide-ts/cosmos-emulator/conformance";
import { step } from "../step.ts";
import { runNode } from "./child.ts";

const RUN = path.resolve(import.meta.dirname, "../../../cosmos-emulator/conformance/run.ts");

export const CONFORMANCE = step({
  id: "3.conformance",
  phase: 3,
  title: "The conformance suite",
  gates: {},
  estimateRu: () => 60_000,
  async run(stage, notes) {
    if (stage.place.key === undefined) return notes.skipAll("the suites need a key");
    const folder = mkdtempSync(path.join(tmpdir(), "azure-check-"));
    try {
      const file = path.join(folder, "outcomes.json");
      const flags = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
      const { exitCode, end } = await runNode(
        stage,
        ...flags,
        RUN,
        "--endpoint",
        stage.endpoint.href,
        "--json",
        file,
      );
      expect(exitCode === 0, end);
      const { outcomes } = JSON.parse(readFileSync(file, "utf8")) as {
        readonly outcomes: readonly Outcome[];
      };
      const failed = outcomes.filter(({ failure }) => failure !== undefined);
      notes.record("checks", outcomes.length);
      notes.record(
        "not applicable",
        outcomes.filter(({ notApplicable }) => notApplicable !== undefined).length,
      );
      for (const { group, name, failure } of failed) {
        await notes.expect(`${group}: ${name}`, () => expect(false, failure ?? ""));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});
