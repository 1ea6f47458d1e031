/** The instances that a changing verb is to change: ids, ids from stdin, or a filter. */
import type { Flags } from "../command/flags.ts";
import { usage } from "../errors/exit-code.ts";
import { idOfLine } from "../output/id-line.ts";
import type { OpenStore } from "../store/open-store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { FILTER_FLAGS, type FilterValues, hasFilter, selectionOf } from "./filter-flags.ts";
import { findInstances } from "./find-instances.ts";
import type { JournalKey } from "./journal.ts";

export const TARGET_FLAGS = {
  ...FILTER_FLAGS,
  after: {
    kind: "text",
    value: "ID",
    help: "with a filter: goes on after this instance, where an earlier call stopped",
  },
  anew: { kind: "switch", help: "does not go on where an earlier call of this command was ended" },
} as const satisfies Flags;

/** Instances, and how many there are of which orchestration. */
export interface Targets {
  readonly ids: readonly string[];
  /** Counts by orchestration, such as `checkout 11, ship 1`; empty if the ids were given. */
  readonly names: string;
  /** Whether one id was given on the command line. */
  readonly single: boolean;
  /** Key by which an earlier call of the same command is found; only for instances. */
  readonly key?: JournalKey;
}

export interface TargetCall {
  readonly words: readonly string[];
  readonly flags: FilterValues & { readonly after: string | undefined; readonly anew: boolean };
  readonly terminal: Terminal;
}

/** Throws a `CommandError` unless the instances are given in exactly one way. */
export async function readTargets(store: OpenStore, verb: string, call: TargetCall): Promise<Targets> {
  const { words, flags } = call;
  const filtered = hasFilter(flags);
  if (words.length > 0 && filtered) throw usage("Give ids, or a filter, and not both");
  if (words.length === 0 && !filtered) {
    throw usage(
      "Which instances?",
      `duroxide ${verb} ID…, - for ids from stdin, or a filter such as --status failed`,
    );
  }
  const targets = await (filtered ? readFiltered(store, call) : readIds(verb, call));
  const ids = filtered ? undefined : targets.ids;
  return { ...targets, key: { verb, store: store.identity, ids, flags } };
}

/** Ids of any things, with `-` for those from stdin. */
export async function readIds(
  verb: string,
  { words, terminal }: Pick<TargetCall, "words" | "terminal">,
): Promise<Targets> {
  if (words.length === 0) throw usage("Which?", `duroxide ${verb} ID…, or - for ids from stdin`);
  if (!words.includes("-")) return { ids: [...new Set(words)], names: "", single: words.length === 1 };
  const ids = new Set<string>();
  for (const word of words) {
    if (word !== "-") ids.add(word);
    else for await (const line of terminal.lines()) addLine(ids, line);
  }
  return { ids: [...ids], names: "", single: false };
}

function addLine(ids: Set<string>, line: string): void {
  const id = idOfLine(line);
  if (id !== undefined) ids.add(id);
}

/** Oldest first, so that an interrupted call can go on after an id. */
async function readFiltered(store: OpenStore, { flags, terminal }: TargetCall): Promise<Targets> {
  const ids: string[] = [];
  const names = new Map<string, number>();
  let skips = flags.after !== undefined;
  for await (const { summary } of findInstances(
    store,
    selectionOf(flags, terminal.clock.now()),
    "created-asc",
    1_000,
  )) {
    if (terminal.interrupted.aborted) break;
    if (skips) {
      skips = summary.instanceId !== flags.after;
      continue;
    }
    ids.push(summary.instanceId);
    names.set(summary.orchestrationName, (names.get(summary.orchestrationName) ?? 0) + 1);
  }
  if (skips) throw usage(`--after ${flags.after}: no instance of the filter has this id`);
  const counted = [...names].sort(([, a], [, b]) => b - a).map(([name, number]) => `${name} ${number}`);
  return { ids, names: counted.join(", "), single: false };
}
