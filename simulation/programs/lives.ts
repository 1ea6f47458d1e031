/** Programs that operators change again and again: in every state of a child, and through several lives of one id. */
import type { Chance } from "../world/chance.ts";
import { KEYS, type Operation, type Program, plainProgram, type Step, workStep } from "./step.ts";

const LIVES = 3;

/** Each life has executions, statuses and entries, and the next one begins in any of its states. */
export function livesProgram(instanceId: string, startsAtMs: number, chance: Chance): Program {
  const value = (): number => chance.between(1, 1_000_000);
  const steps: readonly Step[] = [
    { do: "status", value: value() },
    { do: "write", key: KEYS[0], value: value() },
    workStep(0, chance.pick([20, 200])),
    { do: "again" },
    { do: "status", value: value() },
    { do: "write", key: KEYS[1], value: value() },
    { do: "timer", ms: chance.pick([100, 1_000]) },
    ...(chance.happens(0.5) ? [{ do: "erase" } as const] : []),
  ];
  const afterMs = (): number => chance.pick([0, 300, 2_000, 4_000]);
  const operations = Array.from({ length: LIVES }, (): readonly Operation[] =>
    chance.happens(0.5)
      ? [{ verb: "start over", afterMs: afterMs() }]
      : [
          { verb: "delete", afterMs: afterMs(), force: true },
          { verb: "start", afterMs: chance.pick([0, 1_000]) },
        ],
  );
  return { ...plainProgram(instanceId, startsAtMs, steps), operations: operations.flat() };
}

/** Its child goes on in new executions; an operator takes it back before, while and after the child does so. */
export function familyProgram(instanceId: string, startsAtMs: number, chance: Chance): Program {
  const child: Step = {
    do: "child",
    steps: [
      workStep(1, 20),
      { do: "again" },
      workStep(2, chance.pick([500, 2_000])),
      { do: "again" },
      workStep(3, 20),
    ],
  };
  const steps: readonly Step[] = [{ do: "timer", ms: 50 }, child, workStep(4, 20)];
  const afterMs = (): number => chance.pick([300, 800, 1_500]);
  const rewind = (): Operation => ({ verb: "rewind", afterMs: afterMs(), to: chance.next() });
  const more = chance.pick<readonly Operation[]>([
    [],
    [rewind()],
    [{ verb: "terminate", afterMs: afterMs() }, rewind()],
    [
      { verb: "terminate", afterMs: afterMs() },
      { verb: "retry", afterMs: afterMs(), mayRefuse: false },
    ],
    [
      { verb: "terminate", afterMs: afterMs() },
      { verb: "restart", afterMs: afterMs() },
    ],
  ]);
  return { ...plainProgram(instanceId, startsAtMs, steps), operations: [rewind(), ...more] };
}
