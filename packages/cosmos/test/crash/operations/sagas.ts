/** A saga of five steps that is undone, from its start to its end, by a runtime. No plan of the survivors repeats it. */
import { orchestration } from "@duroxide-ts/core";
import type { Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";
import { runProgram } from "../run-program.ts";

export const SAGA_STEPS = [1, 2, 3, 4, 5] as const;
export const REASON = "after all steps";

let runs = 0;

/** Each run of a step has another outcome, also in another process; that of an undo is what it got. */
const program = orchestration("saga", async (ctx) => {
  const saga = ctx.saga();
  for (const step of SAGA_STEPS)
    await saga.run(
      `step ${step}`,
      () => `${process.pid}-${++runs}`,
      (outcome) => outcome,
    );
  throw new Error(REASON);
});

/** Resolves to the message of its failure. */
export function runSaga(stage: Stage): Promise<string> {
  return runProgram(stage, program).then(
    () => "completed",
    (error: Error) => error.message,
  );
}

export const SAGA: Operation = operation({
  name: "saga that is undone",
  prepare: async () => undefined,
  act: (stage) => runSaga(stage),
});
