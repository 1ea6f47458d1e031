/** A program of steps in place, from its start to its end, by a runtime. No plan of the survivors repeats it. */
import { orchestration } from "@duroxide-ts/core";
import type { Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";
import { runProgram } from "../run-program.ts";

let runs = 0;

/** Names the run of a step, so that two of them differ, also in two processes. */
function outcome(name: string, ...before: readonly (string | undefined)[]): string {
  return [name, `${process.pid}-${++runs}`, ...before].join(" ");
}

/** The second execution captures an entry that the first one has written. */
export const program = orchestration(
  "program",
  async (ctx, earlier: readonly string[]): Promise<readonly string[]> => {
    const first = await ctx.run("first", () => outcome("first"));
    if (earlier.length === 0) {
      ctx.kv.set("first", first);
      return ctx.continueAsNew(program, [first]);
    }
    const entry = ctx.kv.get<string>("first");
    const both = await ctx.all([
      ctx.run("left", () => outcome("left", entry, first)),
      ctx.run("right", () => outcome("right", entry, first)),
    ]);
    return [...earlier, first, ...both];
  },
);

/** Resolves to the result of the program, which is started if it is not there. */
export function runSteps(stage: Stage): Promise<readonly string[]> {
  return runProgram(stage, program, []);
}

export const STEPS: Operation = operation({
  name: "program of steps in place",
  prepare: async () => undefined,
  act: (stage) => runSteps(stage),
});
