/** What a behaviour is: a name, what it needs of the store at hand, and a program that shows it or throws. */
import type { CaseContext } from "./context.ts";

/**
 * What not every store can do or allow. A case whose needs are not met is skipped, and the skip says why.
 *
 * - `admin`: `provider.admin` is there.
 * - `long-polling`, `short-polling`: how a fetch waits (`Capabilities.polling`).
 * - `corrupt-history`, `attempt-counts`, `undecodable-rows`, `several-providers`, `faults`: the hooks of `TestStore`.
 * - `history-tags`: acks answer with a tag and fetches accept it.
 * - `watching`: `provider.watchInstance` is there.
 * - `blocked-work`: `provider.getBlocked` is there, so the store keeps what is blocked and what ran alone.
 * - `starts`: `provider.startInstance` is there.
 */
export type Need =
  | "admin"
  | "long-polling"
  | "short-polling"
  | "corrupt-history"
  | "attempt-counts"
  | "undecodable-rows"
  | "several-providers"
  | "faults"
  | "history-tags"
  | "watching"
  | "blocked-work"
  | "starts";

/** One behaviour of the contract. Independent of all others: any order, any number at a time. */
export interface ProviderCase {
  /** Its subject, such as "instance_locking". Groups and names of the catalogue are those of the Rust suite. */
  readonly group: string;
  /** Unique within the group. */
  readonly name: string;
  readonly needs: readonly Need[];
  /** Throws where the store does not behave. Run it through `runCase`, which also sees that it asserts something. */
  run(context: CaseContext): Promise<void>;
}

/** How the cases of one group are written down. */
export type GroupOfCases = Readonly<Record<string, CaseBody | CaseWithNeeds>>;

type CaseBody = (context: CaseContext) => Promise<void>;

interface CaseWithNeeds {
  readonly needs: readonly Need[];
  readonly run: CaseBody;
}

/** The cases of a group, in the order in which they are written. */
export function casesOf(group: string, bodies: GroupOfCases): readonly ProviderCase[] {
  return Object.entries(bodies).map(([name, body]) =>
    typeof body === "function" ? { group, name, needs: [], run: body } : { group, name, ...body },
  );
}
