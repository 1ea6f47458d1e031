/** What a random program consists of, as data: it travels as the input of the orchestration that carries it out. */

export interface WorkStep {
  readonly do: "work";
  readonly id: number;
  readonly takesMs: number;
  /** So many attempts fail before one succeeds. */
  readonly failures: number;
  /** Attempts that the program grants. */
  readonly attempts: number;
  /** Characters of the result. */
  readonly size: number;
  readonly session?: string;
  readonly tag?: string;
}

/** The id of the activity that a cancelled program runs. */
export const CLEAN_UP_ID = -1;

export type Step =
  | WorkStep
  | { readonly do: "timer"; readonly ms: number }
  /** The next message of a queue, or the next arrival of a kept event. */
  | { readonly do: "receive"; readonly from: "queue" | "event"; readonly name: string }
  | { readonly do: "child"; readonly steps: readonly Step[] }
  | { readonly do: "detach"; readonly instanceId: string; readonly steps: readonly Step[] }
  | { readonly do: "write"; readonly key: string; readonly value: number }
  /** What was last written under the key, also by an earlier execution. */
  | { readonly do: "read"; readonly key: string }
  | { readonly do: "status"; readonly value: number }
  | { readonly do: "system" }
  | { readonly do: "all"; readonly steps: readonly Step[] }
  | { readonly do: "race"; readonly steps: readonly Step[] }
  /** Goes on in a new execution. */
  | { readonly do: "again" };

/** What the orchestration is given. */
export interface Task {
  readonly steps: readonly Step[];
  /** The results of earlier executions. */
  readonly results: readonly unknown[];
  readonly cleansUp?: boolean;
}

export interface Message {
  readonly to: "queue" | "event";
  readonly name: string;
  readonly value: string;
}

/** One instance that a client starts, and what is done to it. */
export interface Program {
  readonly instanceId: string;
  readonly startsAtMs: number;
  readonly steps: readonly Step[];
  readonly messages: readonly Message[];
  /** Between two messages. */
  readonly gapMs: number;
  /** Since its start. */
  readonly cancelAfterMs: number | undefined;
  /** A client suspends it so long after its start, and ends that after a while. */
  readonly suspension: { readonly afterMs: number; readonly forMs: number } | undefined;
  /** It runs an activity when it is cancelled. */
  readonly cleansUp: boolean;
}
