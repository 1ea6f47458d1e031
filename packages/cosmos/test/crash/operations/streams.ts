/** A program that writes to a stream, from its start to its end, by a runtime. No plan of the survivors repeats it. */
import { orchestration } from "@duroxide-ts/core";
import type { Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";
import { runProgram } from "../run-program.ts";

/** The values of its stream in the end. */
export const TALK: readonly string[] = [1, 2].flatMap((round) =>
  ["begin", "a", "b", "end"].map((word) => `${word} ${round}`),
);

export const program = orchestration("program", async (ctx, round: number): Promise<unknown> => {
  ctx.stream("talk").write(`begin ${round}`);
  await ctx.run("say", async (step) => {
    for (const word of ["a", "b"]) {
      await step.stream("talk").write(`${word} ${round}`);
      await step.stream("talk").flush();
      step.progress({ message: word });
    }
  });
  ctx.stream("talk").write(`end ${round}`);
  return round === 1 ? ctx.continueAsNew(program, 2) : "done";
});

/** Resolves to the result of the program, which is started if it is not there. */
export function runStreams(stage: Stage): Promise<string> {
  return runProgram(stage, program, 1);
}

export const STREAMS: Operation = operation({
  name: "program that writes to a stream",
  prepare: async () => undefined,
  act: (stage) => runStreams(stage),
});
