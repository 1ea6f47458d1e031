/** Sagas in random programs: steps whose undos are noted in history with the outcome that they got. */
import type { ActivityContext, OrchestrationContext } from "@duroxide-ts/core";
import type { Chance } from "../world/chance.ts";
import type { Program, SagaStep, WorkStep } from "./step.ts";

/** Share of the programs with a saga. */
const WITH_SAGA = 0.25;
/** Id of the first step, above those of the other work of a program. */
const FIRST_ID = 1_000;

/** Beginnings of the names of steps: of those that the program undoes by itself, and of the others. */
export const UNDONE_BY_HAND = "by hand";
export const UNDONE_AT_END = "at end";

type DoWork = (run: ActivityContext, step: WorkStep) => Promise<object>;

export function withSaga(program: Program, chance: Chance): Program {
  if (!chance.happens(WITH_SAGA)) return program;
  const steps = Array.from({ length: chance.between(1, 4) }, (_, n): WorkStep => {
    const failures = chance.happens(0.2) ? chance.between(1, 2) : 0;
    return {
      do: "work",
      id: FIRST_ID + n,
      takesMs: chance.pick([0, 20, 200, 1_000]),
      failures,
      attempts: failures > 0 ? chance.between(1, 3) : 1,
      size: chance.below(20),
    };
  });
  const saga: SagaStep = { do: "saga", steps, ...(chance.happens(0.4) && { undoes: true }) };
  return { ...program, steps: program.steps.toSpliced(chance.below(program.steps.length + 1), 0, saga) };
}

/** The outcome of an undo is that of its step. */
export async function runSaga(
  ctx: OrchestrationContext,
  { steps, undoes }: SagaStep,
  doWork: DoWork,
): Promise<readonly unknown[]> {
  const saga = ctx.saga();
  const outcomes: unknown[] = [];
  for (const step of steps) {
    const { id, attempts } = step;
    const done = saga.run(
      `${undoes === true ? UNDONE_BY_HAND : UNDONE_AT_END} ${id}`,
      (run) => doWork(run, step),
      async (value, run) => {
        await doWork(run, { ...step, takesMs: 20, failures: id % 2 });
        return value;
      },
      { retry: { maxAttempts: attempts, backoff: { kind: "fixed", delay: { ms: 50 } } } },
    );
    outcomes.push(await done.catch((error: Error) => ({ failed: id, because: error.name })));
  }
  if (undoes === true) await saga.compensate();
  return outcomes;
}
