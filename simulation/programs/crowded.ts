/** Programs whose queues have more than one turn takes, or take messages while others arrive. */
import type { Chance } from "../world/chance.ts";
import { type Message, NOISE, type Program, plainProgram, type Step, workStep } from "./step.ts";

/**
 * Messages beside the four of the program: at, below and above the most of one turn, twice that, and the most that an
 * execution inherits.
 */
export const BACKLOGS = {
  sqlite: [101, 996, 997, 1_001, 1_002, 1_003],
  cosmos: [26, 27, 31, 45, 56, 57, 101],
} as const;

const MAILS = 10;

export interface MailboxOptions {
  /** Time between two messages, ms. */
  readonly gapMs: number;
}

/** Clients send it messages all the time, while it waits for one after the other and goes on in new executions. */
export function mailboxProgram(
  instanceId: string,
  startsAtMs: number,
  chance: Chance,
  { gapMs }: MailboxOptions,
): Program {
  const messages = Array.from({ length: MAILS }, (_, value) => message(`${value}`));
  const steps = messages.flatMap((_, id): readonly Step[] => {
    const taken: Step = { do: "receive", from: "queue", name: QUEUE };
    const beside: Step = { do: "all", steps: [taken, workStep(id, chance.pick([50, 150, 250]))] };
    return [chance.happens(0.6) ? beside : taken, ...(chance.happens(0.35) ? [AGAIN] : [])];
  });
  return { ...plainProgram(instanceId, startsAtMs, steps), messages, gapMs };
}

/** All of it waits at once, because the instance is suspended meanwhile: two messages, the backlog, two messages. */
export function backlogProgram(
  instanceId: string,
  startsAtMs: number,
  chance: Chance,
  backlog: number,
): Program {
  const next: Step = { do: "receive", from: "queue", name: QUEUE };
  const noise: Step = { do: "receive", from: "queue", name: NOISE };
  const again = chance.happens(0.7) ? [AGAIN] : [];
  return {
    ...plainProgram(instanceId, startsAtMs, [next, ...again, next, noise, next, ...again, next, noise]),
    messages: [message("0"), message("1"), message("2"), message("3")],
    backlog,
  };
}

const QUEUE = "queue-a";
const AGAIN: Step = { do: "again" };

function message(value: string): Message {
  return { to: "queue", name: QUEUE, value };
}
