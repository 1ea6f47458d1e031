/** Phase 3: the validation kit, the scenarios and a storm, each as the repository's own command runs it. */
import { expect } from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { type Step, step } from "../step.ts";
import { type Ended, runCommand } from "./child.ts";

const STORM_MINUTES = 5;

export const KIT: Step = suite(
  "3.kit",
  "The validation kit",
  "kit",
  "every behaviour of the contract holds on the account",
  700_000,
  (stage) => runCommand(stage, "test", "packages/cosmos/test/validation"),
);

export const SCENARIOS: Step = suite(
  "3.e2e",
  "The end-to-end scenarios",
  "scenarios",
  "every scenario ends on the account as it does on our endpoint",
  400_000,
  (stage) => runCommand(stage, "test", "test/e2e"),
);

export const STORM: Step = suite(
  "3.storm",
  "A storm of three processes that are killed",
  "storm",
  "nothing is lost, doubled or stuck while processes die",
  400_000,
  (stage) => runCommand(stage, "dev", "storm", "--minutes", String(STORM_MINUTES), "--processes", "3"),
);

function suite(
  id: string,
  title: string,
  gate: string,
  must: string,
  ru: number,
  run: (stage: Stage) => Promise<Ended>,
): Step {
  return step({
    id,
    phase: 3,
    title,
    gates: { [gate]: must },
    estimateRu: () => ru,
    async run(stage, notes) {
      if (stage.place.key === undefined) return notes.skipAll("the suites need a key");
      await stage.items;
      const { exitCode, end } = await run(stage);
      notes.record("last line", end.split("\n").at(-1));
      await notes.gate(gate, () => expect(exitCode === 0, `exit code ${String(exitCode)}: ${end}`));
    },
  });
}
