/** The parts of a random program as data, which travels as the input of the orchestration that carries it out. */
import { type Priority, question } from "@duroxide-ts/core";

/** Name of the one orchestration that carries out all programs. */
export const NAME = "program";

/** The question that it answers; the answer differs from question to question. */
export const COUNT = question<number, string>("count");

export interface WorkStep {
  readonly do: "work";
  readonly id: number;
  readonly takesMs: number;
  /** Number of attempts that fail before one succeeds. */
  readonly failures: number;
  /** Attempts that the program grants. */
  readonly attempts: number;
  /** Characters of the result. */
  readonly size: number;
  /** Characters that the activity is given beside the step. */
  readonly givenSize?: number;
  readonly session?: string;
  readonly tag?: string;
  /** Its code stands in the program (`ctx.run`). */
  readonly inPlace?: true;
  /** The key of its limits (programs/held-back.ts). */
  readonly limit?: string;
  readonly priority?: Priority;
  /** It fails, and its program with it, until an operator has mended what it needs. */
  readonly isFatal?: true;
  /** Number of the values that it writes to the stream (programs/streams.ts). */
  readonly says?: number;
}

/** The next message of a queue, or the next arrival of a kept event. */
export interface ReceiveStep {
  readonly do: "receive";
  readonly from: "queue" | "event";
  readonly name: string;
  /** The wait races with a timer, and begins anew where it loses: at first after so long. */
  readonly patienceMs?: number;
}

/** Steps that are undone: if the program is cancelled, and with `undoes` by the program itself. */
export interface SagaStep {
  readonly do: "saga";
  readonly steps: readonly WorkStep[];
  readonly undoes?: true;
}

/** The id of the activity that a cancelled program runs. */
export const CLEAN_UP_ID = -1;

/** Keys of entries. */
export const KEYS = ["a", "b"] as const;

export type Step =
  | WorkStep
  | { readonly do: "timer"; readonly ms: number }
  | ReceiveStep
  | SagaStep
  | { readonly do: "child"; readonly steps: readonly Step[] }
  /** `afterMs`: it begins later. */
  | {
      readonly do: "detach";
      readonly instanceId: string;
      readonly steps: readonly Step[];
      readonly afterMs?: number;
    }
  /** Begins a child for each of the steps and does not wait for them (programs/drop.ts). */
  | { readonly do: "drop"; readonly steps: readonly Step[] }
  | { readonly do: "write"; readonly key: string; readonly value: number }
  /** Removes the entry; all entries without a key. */
  | { readonly do: "erase"; readonly key?: string }
  /** Reads the value last written under the key, also by an earlier execution. */
  | { readonly do: "read"; readonly key: string }
  | { readonly do: "status"; readonly value: number }
  /** Writes to the stream. */
  | { readonly do: "say"; readonly word: string }
  | { readonly do: "system" }
  | { readonly do: "all"; readonly steps: readonly Step[] }
  | { readonly do: "race"; readonly steps: readonly Step[] }
  /** Goes on in a new execution. */
  | { readonly do: "again" };

/** Input of the orchestration. */
export interface Task {
  readonly steps: readonly Step[];
  /** The results of earlier executions. */
  readonly results: readonly unknown[];
  readonly cleansUp?: boolean;
  /** Drawn by the execution that began it (programs/drop.ts). */
  readonly mark?: string;
  /** Number of the call that started it, of those that became one start. */
  readonly call?: number;
}

export interface Message {
  readonly to: "queue" | "event";
  readonly name: string;
  readonly value: string;
}

/** How a client starts its instance. */
export interface Start {
  readonly ifExists: "reuse" | "fail";
  /** Number of the messages, the first ones, that go with the start in one commit. */
  readonly messages: number;
  /** It is cancelled when it has not ended by then. */
  readonly timeoutMs: number | undefined;
  /** Its code begins so much later. */
  readonly afterMs?: number;
  /** The key of the limits that hold it back. */
  readonly limit?: string;
  readonly priority?: Priority;
  readonly debounce?: Debounced;
}

/** Calls that become one start, each so long after the one before. Times are ms. */
export interface Debounced {
  readonly calls: number;
  readonly gapMs: number;
  readonly waitMs: number;
  readonly maxMs?: number;
}

/** Change of an instance by an operator, and its delay after the one before; first `againMs` after a refusal. */
export type Operation =
  | { readonly verb: "terminate" | "restart"; readonly afterMs: number }
  /** `mayRefuse`: then it is rewound to its beginning. */
  | { readonly verb: "retry"; readonly afterMs: number; readonly mayRefuse: boolean }
  /** Goes back to an event of the current execution, given as a part of those that it has. */
  | { readonly verb: "rewind"; readonly afterMs: number; readonly to: number }
  | { readonly verb: "delete"; readonly afterMs: number; readonly force: boolean }
  /** Older executions than the newest are removed. */
  | { readonly verb: "prune"; readonly afterMs: number }
  /** After a deletion. */
  | { readonly verb: "start"; readonly afterMs: number }
  /** A start with `ifExists: "restart"`, which is a deletion and a start. `looks`: once a client has read its end. */
  | {
      readonly verb: "start over";
      readonly afterMs: number;
      readonly againMs?: number;
      readonly looks?: true;
    };

/** One instance that a client starts, and what is done to it. */
export interface Program {
  readonly instanceId: string;
  readonly startsAtMs: number;
  readonly steps: readonly Step[];
  readonly messages: readonly Message[];
  /** Time between two messages, ms. */
  readonly gapMs: number;
  /** Number of messages to another queue between two halves of them: the instance is suspended until all are sent. */
  readonly backlog?: number;
  /** Number of the questions of its client; none without. */
  readonly asks?: number;
  /** Delay of the cancellation after the start. */
  readonly cancelAfterMs: number | undefined;
  /** A client suspends it so long after its start, and ends that after a while. */
  readonly suspension: { readonly afterMs: number; readonly forMs: number } | undefined;
  /** It runs an activity when it is cancelled. */
  readonly cleansUp: boolean;
  readonly start: Start;
  /** One after the other; most programs have none. */
  readonly operations: readonly Operation[];
}

/** A program that is only started, for the kinds that have one purpose. */
export function plainProgram(instanceId: string, startsAtMs: number, steps: readonly Step[]): Program {
  return {
    instanceId,
    startsAtMs,
    steps,
    messages: [],
    gapMs: 0,
    cancelAfterMs: undefined,
    suspension: undefined,
    cleansUp: false,
    start: { ifExists: "reuse", messages: 0, timeoutMs: undefined },
    operations: [],
  };
}

export function workStep(id: number, takesMs: number): WorkStep {
  return { do: "work", id, takesMs, failures: 0, attempts: 1, size: 5 };
}

/** The queue of backlogs. */
export const NOISE = "noise";

/** Returns the messages that clients send to the program, in this order. */
export function sentTo({ backlog = 0, messages }: Program): readonly Message[] {
  const noise = Array.from({ length: backlog }, (_, value): Message => {
    return { to: "queue", name: NOISE, value: `${value}` };
  });
  return [...noise, ...messages];
}

/** Whether an operator deletes it, so that its id may have a history anew. */
export function isDeleted({ operations }: Program): boolean {
  return operations.some(({ verb }) => verb === "delete" || verb === "start over");
}

/** The program to which an instance belongs: itself, the one whose child it is, or the one that started it detached. */
export function programOf(instanceId: string): string {
  return /^p\d+/.exec(instanceId)?.[0] ?? instanceId;
}
