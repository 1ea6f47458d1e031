/** A saga of five steps that is undone, from its start to its end, by a runtime. No plan of the survivors repeats it. */
import { undoneSaga } from "../../../../../test/support/undone-saga.ts";
import type { Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";
import { runProgram } from "../run-program.ts";

let runs = 0;

/** Outcomes differ in another process, too. */
const program = undoneSaga(() => `${process.pid}-${++runs}`);

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
