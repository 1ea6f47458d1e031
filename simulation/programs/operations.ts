/**
 * Operations by hand on some of the programs, and the programs that bear them: what a verb takes away for good is not
 * in them, so that each still has one result that is right.
 *
 * - operations.O1: A message that arrives at an instance that has ended is gone, also between the two commits of the
 *   rewind of one that runs; so is one that an execution has taken that is begun anew from its input. So these programs
 *   take no messages, but for those before the work that fails.
 * - operations.O2: After a rewind an attempt of an activity may have a new key, and after a retry a call has one more
 *   attempt. So an activity fails always or never.
 * - operations.O3: `ctx.all` waits for all of its branches, so the turn that fails may not be the one that received the
 *   failure. Then a retry is refused, and the operator rewinds.
 * - operations.O4: An execution that is begun by hand begins with the entries of the one that it repeats. So a program
 *   reads an entry before it writes it.
 */
import type { Chance } from "../world/chance.ts";
import { KEYS, type Operation, type Program, type Step, type WorkStep } from "./step.ts";

const PLANS = [
  "rewind",
  "rewind twice",
  "mend",
  "terminate",
  "terminate and retry",
  "terminate and rewind",
  "restart",
  "terminate and restart",
  "delete",
  "delete and start",
  "start over",
  "prune and rewind",
] as const;

type Plan = (typeof PLANS)[number];

export function withOperations(program: Program, chance: Chance): Program {
  const plan = chance.pick(PLANS);
  const afterMs = (): number => chance.pick([0, chance.below(500), chance.below(4_000)]);
  let steps = [...ENTRY, ...program.steps.map(alwaysOrNever)];
  let mayRefuse = false;
  let taken = program.messages.length;
  if (plan === "mend") {
    const at = ENTRY.length + chance.below(program.steps.length);
    taken = steps.slice(0, at).filter((step) => step.do === "receive").length;
    const before = steps.slice(0, at);
    const fatal = withFatal(steps[at]);
    mayRefuse = hasAll(fatal);
    steps = [...before, fatal, ...steps.slice(at + 1).map(withoutReceive)];
  } else {
    taken = 0;
    steps = steps.map(withoutReceive);
  }
  const operations = operationsOf(plan, afterMs, chance, mayRefuse);
  const deletes = plan === "delete" || plan === "delete and start" || plan === "start over";
  return {
    ...program,
    steps,
    messages: program.messages.slice(0, taken),
    start: {
      ...program.start,
      messages: Math.min(program.start.messages, taken),
      timeoutMs: undefined,
    },
    cancelAfterMs: undefined,
    cleansUp: false,
    suspension: deletes ? undefined : program.suspension,
    operations,
  };
}

function operationsOf(
  plan: Plan,
  afterMs: () => number,
  chance: Chance,
  mayRefuse: boolean,
): readonly Operation[] {
  const verb = <Verb extends "terminate" | "restart" | "prune" | "start" | "start over">(name: Verb) => ({
    verb: name,
    afterMs: afterMs(),
  });
  const retry = (): Operation => ({ verb: "retry", afterMs: afterMs(), mayRefuse });
  const rewind = (): Operation => ({ verb: "rewind", afterMs: afterMs(), to: chance.next() });
  const remove = (): Operation => ({ verb: "delete", afterMs: afterMs(), force: chance.happens(0.7) });
  switch (plan) {
    case "rewind":
      return [rewind()];
    case "rewind twice":
      return [rewind(), rewind()];
    case "mend":
      return [retry()];
    case "terminate":
      return [verb("terminate")];
    case "terminate and retry":
      return [verb("terminate"), retry()];
    case "terminate and rewind":
      return [verb("terminate"), rewind()];
    case "restart":
      return [verb("restart")];
    case "terminate and restart":
      return [verb("terminate"), verb("restart")];
    case "delete":
      return [remove()];
    case "delete and start":
      return [remove(), verb("start")];
    case "start over":
      return [verb("start over")];
    case "prune and rewind":
      return [verb("prune"), rewind(), verb("prune")];
  }
}

/** operations.O1. */
export function withoutReceive(step: Step): Step {
  return step.do === "receive" ? { do: "system" } : step;
}

/** operations.O2. */
function alwaysOrNever(step: Step): Step {
  if (step.do === "saga") return step;
  if ("steps" in step) return { ...step, steps: step.steps.map(alwaysOrNever) };
  if (step.do !== "work") return step;
  return { ...step, failures: step.failures >= step.attempts ? ALWAYS : 0 };
}

const ALWAYS = 1_000;

/** operations.O4. Each value is written once in a program, and random ones have small numbers. */
const ENTRY: readonly Step[] = [
  { do: "read", key: KEYS[0] },
  { do: "write", key: KEYS[0], value: 1_000 },
];

function hasAll(step: Step): boolean {
  return step.do === "all" || ("steps" in step && step.steps.some(hasAll));
}

const FATAL: WorkStep = {
  do: "work",
  id: 1_000,
  takesMs: 20,
  failures: 0,
  attempts: 1,
  size: 1,
  isFatal: true,
};

/** The step, or an activity in it, fails until it is mended; an activity is added where the step has none. */
function withFatal(step: Step | undefined): Step {
  if (step?.do === "work") return { ...step, failures: 0, isFatal: true };
  if (step?.do === "all" || step?.do === "race" || step?.do === "child") {
    const [first, ...others] = step.steps;
    return { ...step, steps: [withFatal(first), ...others] };
  }
  return FATAL;
}
