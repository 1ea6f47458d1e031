/** The bars on the lanes: from the row of a request to the row of its answer. */
import type { State } from "../../../shapes/states.ts";
import type { Lanes } from "./lanes.ts";
import type { Message } from "./messages.ts";

export interface Work {
  readonly key: string;
  readonly lane: number;
  readonly fromRow: number;
  /** Absent while it is open. */
  readonly toRow?: number;
  readonly state: State;
  readonly barId: number | undefined;
  /** How many others of its lane were open when it began. */
  readonly depth: number;
}

/** Largest number of bars of one lane side by side; further ones lie over each other. */
const DEEPEST = 4;

export function workOf(
  messages: readonly Message[],
  { laneOf }: Lanes,
  states: ReadonlyMap<number, State>,
): Work[] {
  const done: Work[] = [];
  const open = new Map<string, Omit<Work, "toRow">>();
  const taken = new Map<number, Set<number>>();
  for (const [row, message] of messages.entries()) {
    const { work: key, barId } = message;
    if (key === undefined) continue;
    const begun = open.get(key);
    if (begun === undefined) {
      const lane = laneOf(message.to);
      const depths = taken.get(lane) ?? new Set<number>();
      taken.set(lane, depths);
      const depth = freeDepth(depths);
      depths.add(depth);
      const state = (barId !== undefined && states.get(barId)) || "running";
      open.set(key, { key, lane, fromRow: row, state, barId, depth });
    } else {
      open.delete(key);
      taken.get(begun.lane)?.delete(begun.depth);
      done.push({ ...begun, toRow: row, state: message.state ?? begun.state });
    }
  }
  return [...done, ...open.values()].map((work) => ({ ...work, depth: work.depth % DEEPEST }));
}

function freeDepth(taken: ReadonlySet<number>): number {
  let depth = 0;
  while (taken.has(depth)) depth++;
  return depth;
}
