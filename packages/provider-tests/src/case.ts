/** A behaviour: a name, its needs, and a program that shows it or throws. */
import type { CaseContext } from "./context.ts";

/**
 * Capabilities that not every store has. A case whose needs are not met is skipped with the reason.
 *
 * - `long-polling`, `short-polling`: how a fetch waits (`Capabilities.polling`).
 * - `corrupt-history`, `attempt-counts`, `undecodable-rows`, `several-providers`, `faults`: the hooks of `TestStore`.
 * - `history-tags`: acks answer with a tag and fetches accept it.
 * - `watching`: `provider.watchInstance` is defined.
 * - `changed-instances`: `provider.changedInstances` is defined.
 * - `limits`: `provider.limits` is defined.
 * - `streams`: `provider.appendStream` is defined.
 * - `virtual-time`: the clock is virtual, so that minutes pass at once.
 */
export type Need =
  | "long-polling"
  | "short-polling"
  | "corrupt-history"
  | "attempt-counts"
  | "undecodable-rows"
  | "several-providers"
  | "faults"
  | "history-tags"
  | "watching"
  | "changed-instances"
  | "limits"
  | "streams"
  | "virtual-time";

/** One behaviour of the contract. Independent of all others: any order, any number at a time. */
export interface ProviderCase {
  /** Its subject, such as "instance_locking". Groups and names of the catalogue are those of the Rust suite. */
  readonly group: string;
  /** Unique within the group. */
  readonly name: string;
  readonly needs: readonly Need[];
  /**
   * Throws if the store violates the behaviour. Run it through `runCase`, which also checks that it asserts something.
   */
  run(context: CaseContext): Promise<void>;
}

/** The cases of one group by name. */
export type GroupOfCases = Readonly<Record<string, CaseBody | CaseWithNeeds>>;

export type CaseBody = (context: CaseContext) => Promise<void>;

interface CaseWithNeeds {
  readonly needs: readonly Need[];
  readonly run: CaseBody;
}

/** Adds what all of these cases need of a store. */
export function needing(needs: readonly Need[], bodies: GroupOfCases): GroupOfCases {
  return Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => {
      const own = withNeeds(body);
      return [name, { ...own, needs: [...needs, ...own.needs] }];
    }),
  );
}

/** The cases of a group, in the order in which they are written. */
export function casesOf(group: string, bodies: GroupOfCases): readonly ProviderCase[] {
  return Object.entries(bodies).map(([name, body]) => ({ group, name, ...withNeeds(body) }));
}

function withNeeds(body: CaseBody | CaseWithNeeds): CaseWithNeeds {
  return typeof body === "function" ? { needs: [], run: body } : body;
}
