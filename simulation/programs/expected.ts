/**
 * The model: which result a program may have. A race may be won by any of its branches; everything else has one result.
 */
import { DETACHED, detachedIn } from "./drop.ts";
import { type Entries, entriesAfter } from "./entries.ts";
import { type Message, NOISE, type Step, type WorkStep } from "./step.ts";

/** The messages that a program is sent. */
export interface Sent {
  readonly messages: readonly Message[];
  /** Whether they are received in this order. Otherwise the clock of the sender was set back. */
  readonly areInOrder: boolean;
}

export const NOTHING_SENT: Sent = { messages: [], areInOrder: true };

/** Says what is wrong with a result; `undefined` if it is allowed. */
export function wrongResult(steps: readonly Step[], result: unknown, sent: Sent): string | undefined {
  const unread = new Unread(sent);
  const expected = steps.filter((step) => step.do !== "again");
  if (!Array.isArray(result) || result.length !== expected.length) {
    return `${expected.length} results were to come, got ${shown(result)}`;
  }
  let entries: Entries = new Map();
  for (const [at, step] of expected.entries()) {
    const wrong =
      step.do === "read" ? wrongRead(step.key, entries, result[at]) : wrongValue(step, result[at], unread);
    entries = entriesAfter(step, entries);
    if (wrong !== undefined) return `step ${at}: ${wrong}`;
  }
  return undefined;
}

/** The messages that were not received yet. */
class Unread {
  readonly #values: ReadonlyMap<string, string[]>;
  readonly #areInOrder: boolean;

  constructor({ messages, areInOrder }: Sent) {
    const byName = Map.groupBy(messages, ({ to, name }) => `${to}:${name}`);
    this.#values = new Map([...byName].map(([key, sent]) => [key, sent.map(({ value }) => value)]));
    this.#areInOrder = areInOrder;
  }

  /** The message that is to come where `value` was received. */
  take(from: Message["to"], name: string, value: unknown): string | undefined {
    const values = this.#values.get(`${from}:${name}`) ?? [];
    const at = values.indexOf(String(value));
    // A backlog is sent at once.
    const isNext = this.#areInOrder && name !== NOISE;
    return values.splice(isNext || at === -1 ? 0 : at, 1)[0];
  }
}

function wrongValue(step: Step, value: unknown, unread: Unread): string | undefined {
  switch (step.do) {
    case "work":
      return wrongWork(step, value);
    case "saga":
      return wrongAll(step.steps, value, unread);
    case "timer":
      return unless(value === "timer", "timer", value);
    case "receive": {
      const next = unread.take(step.from, step.name, value);
      return unless(value === next, `message ${next} of ${step.name}`, value);
    }
    case "child":
      return wrongResult(step.steps, value, NOTHING_SENT);
    case "detach":
      return unless(value === "detached", "detached", value);
    case "drop":
      return unless(detachedIn([value]).length === DETACHED, "the ids of detached instances", value);
    case "read":
      return "a program reads between its steps only";
    case "erase":
      return unless(value === "nothing", "nothing", value);
    case "write":
    case "status":
      return unless(value === step.value, String(step.value), value);
    case "say":
      return unless(value === "said", "said", value);
    case "system":
      return unless(value === true, "a time and an id", value);
    case "all":
      return wrongAll(step.steps, value, unread);
    case "race":
      return wrongRace(step.steps, value, unread);
    case "again":
      return undefined;
  }
}

function wrongRead(key: string, entries: Entries, value: unknown): string | undefined {
  const expected = entries.get(key) ?? "nothing";
  return unless(value === expected, `${key} to be ${expected}`, value);
}

function wrongWork({ id, failures, attempts, size }: WorkStep, value: unknown): string | undefined {
  const got = value as { id?: unknown; text?: string; failed?: unknown; because?: unknown } | undefined;
  if (failures >= attempts) {
    const isRight = got?.failed === id && got.because === "ActivityFailedError";
    return unless(isRight, `the failure of work ${id}`, value);
  }
  return unless(got?.id === id && got.text?.length === size, `the result of work ${id}`, value);
}

function wrongAll(steps: readonly Step[], value: unknown, unread: Unread): string | undefined {
  if (!Array.isArray(value) || value.length !== steps.length) return `not all results: ${shown(value)}`;
  for (const [at, step] of steps.entries()) {
    const wrong = wrongValue(step, value[at], unread);
    if (wrong !== undefined) return `branch ${at}: ${wrong}`;
  }
  return undefined;
}

function wrongRace(steps: readonly Step[], value: unknown, unread: Unread): string | undefined {
  const { index, value: won } = (value ?? {}) as { index?: number; value?: unknown };
  const winner = steps[index ?? -1];
  if (winner === undefined) return `a race without a winner: ${shown(value)}`;
  return wrongValue(winner, won, unread);
}

function unless(isRight: boolean, expected: string, value: unknown): string | undefined {
  return isRight ? undefined : `expected ${expected}, got ${shown(value)}`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200);
}
