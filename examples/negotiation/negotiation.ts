/**
 * The state machine: what a negotiation is, and what is done with it in each state. This is the part that you would
 * write; leases see to it that each state of each negotiation is worked on by one process.
 */
export interface Negotiation {
  readonly id: string;
  readonly market: string;
  readonly state: State;
  /** Highest price that the customer pays. */
  readonly budget: number;
  readonly price?: number;
  /** One line for each state that was left, written with the state that follows. */
  readonly log: readonly LogLine[];
}

export interface LogLine {
  readonly left: State;
  readonly by: string;
  readonly token: number;
}

export type State = WorkingState | "declined" | "finalized";
export type WorkingState = "requested" | "offered" | "agreed";

/** Later states first, so that what was begun is brought to its end. */
export const WORKING_STATES: readonly WorkingState[] = ["agreed", "offered", "requested"];

/** Returns the changes that work in a state makes. */
export function nextStep({ id, state, budget, price = 0 }: Negotiation): Partial<Negotiation> {
  switch (state) {
    case "requested":
      return { state: "offered", price: 80 + Number(id.slice(-2)) };
    case "offered":
      return { state: price <= budget ? "agreed" : "declined" };
    default:
      return { state: "finalized" };
  }
}

/** The states that a negotiation must have left, in order, to be where it is. */
export function pathTo(state: State): readonly State[] {
  const paths: Readonly<Record<State, readonly State[]>> = {
    requested: [],
    offered: ["requested"],
    agreed: ["requested", "offered"],
    declined: ["requested", "offered"],
    finalized: ["requested", "offered", "agreed"],
  };
  return paths[state];
}

const MARKETS: readonly string[] = ["north", "south", "west"];

export function newNegotiations(count: number): readonly Negotiation[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `deal-${String(index).padStart(2, "0")}`,
    market: MARKETS[index % MARKETS.length] ?? "north",
    state: "requested",
    // Every fourth customer wants it for less than it will be offered for.
    budget: index % 4 === 3 ? 60 : 200,
    log: [],
  }));
}
