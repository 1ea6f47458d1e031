/** Defines what the soak knows of an orchestration: how to start one, what to send, and how it may end. */
import type { OrchestrationStatus } from "@duroxide-ts/core";
import type { SeededRandom } from "../../support/seeded-random.ts";

/** `deployment`: its handler is changed or missing in some processes for a while. */
export type Group = "innocent" | "deployment" | "hostile";

/** One instance to be. */
export interface Plan {
  /** Name of the orchestration. */
  readonly name: string;
  readonly group: Group;
  readonly input: unknown;
  /** The messages that the load has to send. */
  readonly needs?: "letters" | "go";
  /** Cancelled after so many milliseconds. */
  readonly cancelAfterMs?: number;
  /** Whether it ends processes. */
  readonly isKiller?: boolean;
  /** Whether it may go on for ever. */
  readonly mayRun?: boolean;
  /** Says what is wrong with the way in which it ended. */
  readonly wrongEnd: (end: End) => string | undefined;
}

export type End = Extract<OrchestrationStatus, { status: "Completed" | "Failed" | "Cancelled" }>;

/** The nth program of a kind. */
export type Planner = (random: SeededRandom, number: number) => Plan;

/** It completed with this output, and nothing else will do. */
export function mustBe(expected: unknown): Plan["wrongEnd"] {
  const text = JSON.stringify(expected);
  return (end) => {
    if (end.status !== "Completed") return `failed instead of ${text}: ${end.message}`;
    const output = JSON.stringify(end.output);
    return output === text ? undefined : `ended with ${output} instead of ${text}`;
  };
}

/** One of several plans. */
export function pick<T>(random: SeededRandom, choices: readonly T[]): T {
  const choice = choices[random.below(choices.length)];
  if (choice === undefined) throw new Error("there is nothing to choose from");
  return choice;
}
