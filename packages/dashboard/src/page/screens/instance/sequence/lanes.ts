/** The lanes of a sequence: outside, the instance, its activities, its children. Where there are many, one lane has the rest. */
import type { LaneKind, Message, Party } from "./messages.ts";

export interface Lane {
  readonly kind: LaneKind;
  readonly name: string;
}

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** The index of the lane of a party. */
  laneOf(party: Party): number;
}

const GROUPS = { activity: "Activities", child: "Children" } as const;

/** `most` is the number of lanes for activities, and for children; with 1 each kind has one lane. */
export function lanesOf(messages: readonly Message[], most: number): Lanes {
  const lanes: Lane[] = [
    { kind: "outside", name: "Outside" },
    { kind: "instance", name: "Instance" },
  ];
  const places = new Map<string, number>();
  for (const kind of ["activity", "child"] as const) {
    const names = namesOf(messages, kind);
    const own = names.length <= most ? names : names.slice(0, most - 1);
    for (const name of own) {
      places.set(keyOf({ kind, name }), lanes.length);
      lanes.push({ kind, name: most === 1 ? GROUPS[kind] : name });
    }
    if (own.length === names.length) continue;
    const name = own.length === 0 ? GROUPS[kind] : `Other ${GROUPS[kind].toLowerCase()}`;
    for (const other of names.slice(own.length)) places.set(keyOf({ kind, name: other }), lanes.length);
    lanes.push({ kind, name });
  }
  return {
    lanes,
    laneOf: (party) => (party.kind === "outside" ? 0 : (places.get(keyOf(party)) ?? 1)),
  };
}

/** Returns the names in the order in which they were called first. */
function namesOf(messages: readonly Message[], kind: LaneKind): string[] {
  return [...new Set(messages.flatMap(({ to }) => (to.kind === kind ? [to.name] : [])))];
}

function keyOf({ kind, name }: Party): string {
  return `${kind} ${name}`;
}
