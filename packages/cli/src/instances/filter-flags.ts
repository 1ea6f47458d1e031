/** The flags that choose instances, and the filters of the store that they stand for. */
import type { InstanceFilter } from "@duroxide-ts/core";
import { type InstanceState, inState, tagConditions } from "@duroxide-ts/core/operate";
import type { Flags, FlagValues } from "../command/flags.ts";
import { usage } from "../errors/exit-code.ts";
import { momentMs } from "../text/span.ts";

/** The states of an instance as operators name them. */
export const STATES = [
  "running",
  "scheduled",
  "waiting-for-limit",
  "waiting",
  "retrying",
  "cancelling",
  "compensating",
  "blocked",
  "suspended",
  "completed",
  "failed",
  "cancelled",
  "clean-up-failed",
] as const;

export type State = (typeof STATES)[number];

/** States that only the history of a running instance tells. */
export const LOOKS: ReadonlySet<State> = new Set(["waiting", "retrying", "cancelling", "compensating"]);

export const FILTER_FLAGS = {
  status: { kind: "list", value: "A,B", choices: STATES, help: STATES.join(", ") },
  name: { kind: "texts", value: "NAME", help: "of the orchestration; may be given several times" },
  version: { kind: "texts", value: "V", help: "of the orchestration; may be given several times" },
  tag: {
    kind: "texts",
    value: "KEY=VALUE",
    help: "with this tag; >=, >, <= and < compare; may be given several times",
  },
  schedule: { kind: "text", value: "NAME", help: "runs of this schedule" },
  prefix: { kind: "text", value: "TEXT", help: "that the id begins with" },
  parent: { kind: "text", value: "ID", help: "children of this instance" },
  roots: { kind: "switch", help: "only instances without a parent" },
  since: { kind: "moment", value: "WHEN", help: "that changed within 1h, or since 2026-05-01T10:00Z" },
  until: { kind: "moment", value: "WHEN", help: "that have not changed within this time, or since then" },
  "older-than": { kind: "moment", value: "WHEN", help: "that began longer ago, such as 1d, or before then" },
  error: { kind: "text", value: "TEXT", help: "that the message of the failure contains" },
  category: {
    kind: "list",
    value: "A,B",
    choices: ["application", "poison", "configuration", "infrastructure"],
    help: "of the failure: application, poison, configuration, infrastructure",
  },
  waiting: {
    kind: "text",
    value: "KIND[:NAME]",
    help: "that wait for an event, queue, timer, child or activity: event:approved",
  },
} as const satisfies Flags;

export type FilterValues = FlagValues<typeof FILTER_FLAGS>;

/** Filters of the store, of which an instance matches any, and what only a look at its history tells. */
export interface Selection {
  readonly filters: readonly InstanceFilter[];
  /** Keeps those that wait for this. */
  readonly waiting?: { readonly kind: string; readonly name?: string };
  /** Keeps running instances in these states. */
  readonly looks?: readonly State[];
}

/** Whether any flag chooses. */
export function hasFilter(flags: FilterValues): boolean {
  return Object.keys(FILTER_FLAGS).some((name) => {
    const value = flags[name as keyof FilterValues];
    return value !== undefined && value !== false;
  });
}

export function selectionOf(flags: FilterValues, nowMs: number): Selection {
  const base = baseFilter(flags, nowMs);
  const waiting = flags.waiting === undefined ? undefined : parseWaiting(flags.waiting);
  const { status: states } = flags as { readonly status: readonly State[] | undefined };
  const looks = states?.filter((state) => LOOKS.has(state)) ?? [];
  return {
    filters:
      states === undefined
        ? [waiting === undefined ? base : { ...base, status: ["Running"] }]
        : inStates(base, states),
    ...(waiting !== undefined && { waiting }),
    // The filter for all that run includes those that wait or clean up.
    ...(looks.length > 0 && !states?.includes("running") && { looks }),
  };
}

function baseFilter(flags: FilterValues, nowMs: number): InstanceFilter {
  const { name, version, tag, schedule, prefix, parent, roots, since, until, error, category } = flags;
  const olderThan = flags["older-than"];
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(tag !== undefined && { tags: conditionsOf(tag) }),
    ...(schedule !== undefined && { schedule }),
    ...(prefix !== undefined && { idPrefix: prefix }),
    ...(parent !== undefined && { parentId: parent }),
    ...(roots && { rootsOnly: true }),
    ...(since !== undefined && { updatedFromMs: momentMs(since, nowMs) }),
    ...(until !== undefined && { updatedToMs: momentMs(until, nowMs) }),
    ...(olderThan !== undefined && { createdToMs: momentMs(olderThan, nowMs) }),
    ...(error !== undefined && { errorContains: error }),
    ...(category !== undefined && {
      failureCategory: category as NonNullable<InstanceFilter["failureCategory"]>,
    }),
  };
}

function conditionsOf(terms: readonly string[]): NonNullable<InstanceFilter["tags"]> {
  const conditions = tagConditions(terms);
  if (typeof conditions === "string") throw usage(`--tag: ${conditions}`);
  return conditions;
}

/** The states that are stored as Failed. */
const FAILED: readonly InstanceState[] = ["failed", "cancelled", "clean-up-failed"];

/** Filters of which an instance in one of the states matches one, and no more. */
export function inStates(base: InstanceFilter, states: readonly State[]): InstanceFilter[] {
  // Only histories tell the states that the store does not have.
  const stored = new Set(states.map((state) => (isStored(state) ? state : "running")));
  if (FAILED.every((state) => stored.has(state))) {
    for (const state of FAILED) stored.delete(state);
    return [
      { ...base, status: ["Failed", "Cancelled"] },
      ...[...stored].map((state) => inState(base, state)),
    ];
  }
  return [...stored].map((state) => inState(base, state));
}

function isStored(state: State): state is InstanceState {
  return !LOOKS.has(state);
}

const WAIT_KINDS = ["event", "queue", "timer", "child", "activity"];

function parseWaiting(text: string): NonNullable<Selection["waiting"]> {
  const [kind = "", ...rest] = text.split(":");
  if (!WAIT_KINDS.includes(kind)) {
    throw usage(`--waiting is ${WAIT_KINDS.join(", ")}, with a name such as event:approved; got "${text}"`);
  }
  return rest.length === 0 ? { kind } : { kind, name: rest.join(":") };
}
