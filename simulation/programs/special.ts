/** Programs that are there for one purpose, which a random program serves too rarely. */
import type { Chance } from "../world/chance.ts";
import type { Program, Step, WorkStep } from "./step.ts";

/** Each is two writes of the turn that begins it, so that the commit does not fit into a batch of 100. */
const BRANCHES = 55;

/** One turn begins so many activities that its commit is staged, and few turns end them. */
export function wideProgram(instanceId: string, chance: Chance, overMs: number): Program {
  const works = Array.from({ length: BRANCHES }, (_, id) => work(id, chance.pick([0, 0, 20])));
  return plain(instanceId, chance.below(overMs), [{ do: "all", steps: works }]);
}

/** Activities that take longer than their locks last. */
export function longProgram(instanceId: string, startsAtMs: number, leaseMs: number): Program {
  return plain(instanceId, startsAtMs, [
    { do: "all", steps: [work(0, 2.5 * leaseMs), work(1, 1.5 * leaseMs)] },
  ]);
}

function work(id: number, takesMs: number): WorkStep {
  return { do: "work", id, takesMs, failures: 0, attempts: 1, size: 5 };
}

function plain(instanceId: string, startsAtMs: number, steps: readonly Step[]): Program {
  return {
    instanceId,
    startsAtMs,
    steps,
    messages: [],
    gapMs: 0,
    cancelAfterMs: undefined,
    suspension: undefined,
    cleansUp: false,
    start: { ifExists: "reuse", messages: 0 },
    operations: [],
  };
}
