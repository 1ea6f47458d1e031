/** A program that writes to a stream, from its code and from activities, and what its stream must have in the end. */
import type { Chance } from "../world/chance.ts";
import { type Program, plainProgram, type Step, type WorkStep, workStep } from "./step.ts";

/** The stream to which programs write. */
export const TALK = "talk";

/** More than a writer keeps together. */
const LARGE = 20_000;

const STEPS = 7;

/** The value that an activity writes as its `number`-th. */
export function wordOf({ id }: Pick<WorkStep, "id">, number: number): string {
  return `${id}.${number}${number % 5 === 4 ? "x".repeat(LARGE) : ""}`;
}

export function streamsProgram(instanceId: string, startsAtMs: number, chance: Chance): Program {
  const steps = Array.from({ length: STEPS }, (_, at): Step[] => {
    const failures = chance.happens(0.3) ? 1 : 0;
    const work: WorkStep = {
      ...workStep(at, chance.pick([0, 100, 1_000, 4_000])),
      says: chance.between(1, 12),
      failures,
      attempts: chance.between(1, 1 + failures),
      ...(chance.happens(0.4) && { inPlace: true as const }),
    };
    const say: Step = { do: "say", word: `${instanceId} ${at}` };
    const again: Step[] = chance.happens(0.2) ? [{ do: "again" }] : [];
    const beside: Step = { do: "all", steps: [{ ...work, id: at + STEPS }, work] };
    return [say, chance.happens(0.2) ? beside : work, ...again];
  });
  return plainProgram(instanceId, startsAtMs, [...steps.flat(), { do: "say", word: "." }]);
}

/** A value of the stream, as a reader has it. */
export interface Heard {
  readonly value: string;
  readonly step: string | undefined;
  readonly attempt: number;
}

/** Says what is wrong with the values of all attempts of a program that has completed. */
export function wrongTalk(steps: readonly Step[], heard: readonly Heard[]): readonly string[] {
  const wrong: string[] = [];
  let at = 0;
  for (const step of steps) {
    if (step.do === "say") {
      const next = heard[at++];
      if (next?.value !== step.word || next.step !== undefined)
        wrong.push(`offset ${at - 1} has ${shown(next)}, not ${step.word} of the code`);
      continue;
    }
    const works = step.do === "work" ? [step] : step.do === "all" ? step.steps.filter(isWork) : [];
    if (works.length === 0) continue;
    const end = heard.findIndex((each, index) => index >= at && each.step === undefined);
    const said = heard.slice(at, end === -1 ? undefined : end);
    at += said.length;
    const known = works.flatMap((work) => {
      const own = said.filter(({ value }) => value.startsWith(`${work.id}.`));
      wrong.push(...wrongWords(work, own));
      return own;
    });
    if (known.length !== said.length) wrong.push(`${said.length} values where ${known.length} are known`);
  }
  if (at !== heard.length) wrong.push(`${heard.length - at} values after the end`);
  return wrong;
}

/** Each attempt has the values from the first one on, and the last attempt has them all. */
function wrongWords(work: WorkStep, said: readonly Heard[]): readonly string[] {
  const { says = 0, id } = work;
  const attempts = Map.groupBy(said, ({ attempt }) => attempt);
  const numbers = said.map(({ attempt }) => attempt);
  const last = Math.max(0, ...numbers);
  const isOrdered = numbers.every((attempt, index) => index === 0 || attempt >= (numbers[index - 1] ?? 0));
  const wrong = isOrdered ? [] : [`work ${id}: an earlier attempt has written after a later one`];
  for (const [attempt, values] of attempts) {
    const isRight = values.every(({ value }, number) => value === wordOf(work, number));
    if (!isRight || values.length > says) wrong.push(`work ${id}: attempt ${attempt} has ${texts(values)}`);
  }
  const left = attempts.get(last)?.length ?? 0;
  if (left !== says) wrong.push(`work ${id}: the last attempt has ${left} of ${says} values`);
  return wrong;
}

/** The values that count in the end, of what a reader got of all attempts. */
export function withoutVoid(heard: readonly Heard[]): readonly string[] {
  const newest = new Map(heard.map(({ step, attempt }) => [step, attempt]));
  return heard
    .filter(({ step, attempt }) => step === undefined || newest.get(step) === attempt)
    .map(({ value }) => value);
}

function isWork(step: Step): step is WorkStep {
  return step.do === "work";
}

function texts(values: readonly Heard[]): string {
  return values.map(({ value }) => value.slice(0, 8)).join(", ");
}

function shown(heard: Heard | undefined): string {
  return heard === undefined ? "nothing" : heard.value.slice(0, 30);
}
