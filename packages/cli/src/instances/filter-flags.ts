/** The flags that choose instances, and the filters of the store that they stand for. */
import type { InstanceQueryFilter } from "@duroxide-ts/core";
import type { Flags, FlagValues } from "../command/flags.ts";
import { usage } from "../errors/exit-code.ts";

/** The states of an instance as operators name them. */
export const STATES = [
  "running",
  "waiting",
  "retrying",
  "cancelling",
  "blocked",
  "suspended",
  "completed",
  "failed",
  "cancelled",
] as const;

export type State = (typeof STATES)[number];

/** What only the history of a running instance tells. */
export const LOOKS: ReadonlySet<State> = new Set(["waiting", "retrying", "cancelling"]);

export const FILTER_FLAGS = {
  status: { kind: "list", value: "A,B", choices: STATES, help: STATES.join(", ") },
  name: { kind: "texts", value: "NAME", help: "of the orchestration; may be given several times" },
  version: { kind: "texts", value: "V", help: "of the orchestration; may be given several times" },
  prefix: { kind: "text", value: "TEXT", help: "that the id begins with" },
  parent: { kind: "text", value: "ID", help: "children of this instance" },
  roots: { kind: "switch", help: "only instances without a parent" },
  since: { kind: "duration", value: "SPAN", help: "that changed within this time, such as 1h" },
  until: { kind: "duration", value: "SPAN", help: "that have not changed within this time" },
  "older-than": { kind: "duration", value: "SPAN", help: "that began longer ago, such as 1d" },
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
  readonly filters: readonly InstanceQueryFilter[];
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
        : filtersOfStates(states).map((filter) => ({ ...base, ...filter })),
    ...(waiting !== undefined && { waiting }),
    // The filter for all that run includes those that wait or clean up.
    ...(looks.length > 0 && !states?.includes("running") && { looks }),
  };
}

function baseFilter(flags: FilterValues, nowMs: number): InstanceQueryFilter {
  const { name, version, prefix, parent, roots, since, until, error, category } = flags;
  const olderThan = flags["older-than"];
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(prefix !== undefined && { idPrefix: prefix }),
    ...(parent !== undefined && { parentId: parent }),
    ...(roots && { rootsOnly: true }),
    ...(since !== undefined && { updatedFromMs: nowMs - since }),
    ...(until !== undefined && { updatedToMs: nowMs - until }),
    ...(olderThan !== undefined && { createdToMs: nowMs - olderThan }),
    ...(error !== undefined && { errorContains: error }),
    ...(category !== undefined && {
      failureCategory: category as NonNullable<InstanceQueryFilter["failureCategory"]>,
    }),
  };
}

const FAILURES = ["application", "configuration", "infrastructure", "poison"] as const;

/** One filter for each set of states that the store has, without instances in two of them. */
export function filtersOfStates(states: readonly State[]): readonly InstanceQueryFilter[] {
  const has = (state: State): boolean => states.includes(state);
  const filters: InstanceQueryFilter[] = [];
  if (has("running") || states.some((state) => LOOKS.has(state)))
    filters.push({ status: ["Running", "ContinuedAsNew"], blocked: false, suspended: false });
  if (has("blocked"))
    filters.push({ status: ["Running", "ContinuedAsNew"], blocked: true, suspended: false });
  if (has("suspended")) filters.push({ status: ["Running", "ContinuedAsNew"], suspended: true });
  if (has("completed")) filters.push({ status: ["Completed"] });
  if (has("failed") && has("cancelled")) filters.push({ status: ["Failed"] });
  else if (has("failed")) filters.push({ status: ["Failed"], failureCategory: FAILURES });
  else if (has("cancelled")) filters.push({ status: ["Failed"], failureCategory: ["cancelled"] });
  return filters;
}

const WAIT_KINDS = ["event", "queue", "timer", "child", "activity"];

function parseWaiting(text: string): NonNullable<Selection["waiting"]> {
  const [kind = "", ...rest] = text.split(":");
  if (!WAIT_KINDS.includes(kind)) {
    throw usage(`--waiting is ${WAIT_KINDS.join(", ")}, with a name such as event:approved; got "${text}"`);
  }
  return rest.length === 0 ? { kind } : { kind, name: rest.join(":") };
}
