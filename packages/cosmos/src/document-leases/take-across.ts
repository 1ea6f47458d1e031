/**
 * Queries documents that can be leased, and leases them partition by partition, because a procedure or a batch works in
 * one logical partition only. Takes them in order while no other process takes the same; then at random among more.
 */
import type { PartitionKey } from "@azure/cosmos";
import { type Random, sleep } from "@duroxide-ts/core";
import { messageOf } from "@duroxide-ts/core/stores";
import type { Deadline } from "../service/call.ts";
import { failureOf, toProviderError } from "../service/failure.ts";
import { backOffMs } from "../service/persist.ts";
import { QueryLost } from "../service/ranges.ts";
import { type ContainerFacts, partitionKeyIn, valueAt } from "./container-facts.ts";
import { type LeasableRow, nextInState } from "./lease-queries.ts";
import type { LeaseRequests, QueryScope } from "./lease-requests.ts";
import type { NextSearch, Taken } from "./leasing.ts";
import type { LeaseSettings, PropertyPath } from "./settings.ts";
import { stepAside } from "./step-aside.ts";

/** Documents of one logical partition. */
export interface Group {
  readonly partitionKey: PartitionKey;
  readonly rows: readonly LeasableRow[];
}

export interface GroupOutcome {
  readonly taken: readonly Taken[];
  /** Whether other holders took some of them. */
  readonly missed: boolean;
}

type TakeGroup = (group: Group) => Promise<GroupOutcome>;

/** The position of a query. */
interface Cursor {
  readonly scope: QueryScope;
  readonly continuation: string | undefined;
}

/** Partitions that are written at the same time. */
const AT_ONCE = 8;

/** Number of candidates for each document to be leased, with competing processes. */
const CROWD_FACTOR = 8;
const MOST_ROWS = 1_000;

/** Empty if there are no documents, or if other processes were faster until the call's time was over. */
export async function takeAcross(
  requests: LeaseRequests,
  settings: LeaseSettings,
  facts: ContainerFacts,
  call: Deadline,
  search: NextSearch,
  takeGroup: TakeGroup,
): Promise<readonly Taken[]> {
  for (let crowded = false; ; crowded = true) {
    const { taken, missed } = await passOver({
      requests,
      settings,
      facts,
      call,
      search,
      takeGroup,
      crowded,
    });
    if (taken.length > 0 || !missed || settings.clock.now() >= call.untilMs) return taken;
    await stepAside(settings);
  }
}

/** A lost query has taken nothing; the next pass reads the list of physical partitions again. */
async function passOver(options: PassOptions): Promise<GroupOutcome> {
  const { call, settings } = options;
  for (let lost = 1; ; lost++) {
    try {
      return await new Pass(options).run();
    } catch (error) {
      const delayMs = Math.ceil(backOffMs(lost, settings.random));
      const isInTime = settings.clock.now() + delayMs <= call.untilMs;
      if (!(error instanceof QueryLost)) throw error;
      if (!isInTime) throw toProviderError(call.operation, failureOf(error));
      if (delayMs > 0) await sleep(settings.clock, delayMs);
    }
  }
}

interface PassOptions {
  readonly requests: LeaseRequests;
  readonly settings: LeaseSettings;
  readonly facts: ContainerFacts;
  readonly call: Deadline;
  readonly search: NextSearch;
  readonly takeGroup: TakeGroup;
  readonly crowded: boolean;
}

/** One pass over the candidates. It ends early if other processes compete, so that taken leases are returned soon. */
class Pass {
  readonly #options: PassOptions;
  readonly #taken: Taken[] = [];
  #missed = false;
  /** The list of physical partitions of this pass. */
  #listed: Promise<readonly string[]> | undefined;

  constructor(options: PassOptions) {
    this.#options = options;
  }

  async run(): Promise<GroupOutcome> {
    let cursors = await this.#cursors();
    while (cursors.length > 0 && !this.#isOver) {
      // An order by a property needs all partitions at the same time; otherwise one after the other is enough.
      const asked = this.#options.settings.orderBy === undefined ? cursors.slice(0, 1) : cursors;
      const answer = await this.#ask(asked).catch((error: unknown) => this.#endedBy(error));
      if (answer === undefined) break;
      const { rows, more } = answer;
      cursors = [...more, ...cursors.slice(asked.length)];
      await this.#takeFrom(rows);
    }
    return { taken: this.#taken, missed: this.#missed };
  }

  get #wanted(): number {
    return this.#options.search.limit - this.#taken.length;
  }

  get #isOver(): boolean {
    const someAreTaken = this.#taken.length > 0 || !this.#options.crowded;
    return this.#wanted === 0 || (this.#missed && someAreTaken);
  }

  async #cursors(): Promise<readonly Cursor[]> {
    const { requests, call, search, settings } = this.#options;
    const { partitionKey } = search;
    if (partitionKey !== undefined) return [{ scope: { partitionKey }, continuation: undefined }];
    this.#listed = requests.ranges.ids(call);
    const ranges = await this.#listed;
    // Begins at a random partition, so that no partition is the last one for all processes.
    const first = Math.floor(settings.random.next() * ranges.length);
    const rotated = [...ranges.slice(first), ...ranges.slice(0, first)];
    return rotated.map((range) => ({ scope: { range }, continuation: undefined }));
  }

  async #ask(
    cursors: readonly Cursor[],
  ): Promise<{ readonly rows: readonly LeasableRow[]; readonly more: readonly Cursor[] }> {
    const { requests, settings, call, search, crowded } = this.#options;
    const most = Math.min(crowded ? search.limit * CROWD_FACTOR : this.#wanted, MOST_ROWS);
    const query = nextInState(settings, search.state);
    try {
      const pages = await Promise.all(
        cursors.map(({ scope, continuation }) =>
          requests.query<LeasableRow>(call, scope, query, most, continuation),
        ),
      );
      const rows = pages.flatMap((page) => page.rows);
      const more = pages.flatMap(({ continuation }, index) => {
        const cursor = cursors[index];
        return continuation === undefined || cursor === undefined ? [] : [{ ...cursor, continuation }];
      });
      return { rows: crowded ? shuffled(rows, settings.random) : sorted(rows, settings.orderBy), more };
    } catch (error) {
      if (error instanceof QueryLost) requests.ranges.forget(this.#listed);
      throw error;
    }
  }

  /** Keeps the documents that were leased before the failure. */
  #endedBy(error: unknown): undefined {
    if (error instanceof QueryLost && this.#taken.length > 0) return undefined;
    throw error;
  }

  async #takeFrom(rows: readonly LeasableRow[]): Promise<void> {
    for (let from = 0; from < rows.length && !this.#isOver; ) {
      const some = rows.slice(from, from + this.#wanted);
      from += some.length;
      await this.#takeGroups(this.#groups(some));
    }
  }

  #groups(rows: readonly LeasableRow[]): readonly Group[] {
    const { facts } = this.#options;
    const keyed = rows.map((row) => ({ row, partitionKey: partitionKeyIn(facts, row.document) }));
    const groups = Map.groupBy(keyed, ({ partitionKey }) => JSON.stringify(partitionKey));
    return [...groups.values()].flatMap((group) => {
      const [first] = group;
      return first === undefined
        ? []
        : [{ partitionKey: first.partitionKey, rows: group.map(({ row }) => row) }];
    });
  }

  /** One group's failure keeps what others leased; thrown only if nothing was leased. */
  async #takeGroups(groups: readonly Group[]): Promise<void> {
    const failures: unknown[] = [];
    const waiting = [...groups];
    const work = async (): Promise<void> => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
        try {
          const { taken, missed } = await this.#options.takeGroup(group);
          this.#taken.push(...taken);
          this.#missed ||= missed;
        } catch (error) {
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, groups.length) }, work));
    if (failures.length === 0) return;
    if (this.#taken.length === 0) throw failures[0];
    this.#missed = true;
    this.#options.settings.onWarning(`some documents could not be leased: ${messageOf(failures[0])}`);
  }
}

function shuffled(rows: readonly LeasableRow[], random: Random): readonly LeasableRow[] {
  return rows
    .map((row) => ({ row, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

/** The pages of several partitions, merged. */
function sorted(rows: readonly LeasableRow[], orderBy: PropertyPath | undefined): readonly LeasableRow[] {
  if (orderBy === undefined) return rows;
  return [...rows].sort((a, b) => compare(valueAt(a.document, orderBy), valueAt(b.document, orderBy)));
}

/** The service's order of types: null, booleans, numbers, strings. */
const TYPES: readonly string[] = ["undefined", "object", "boolean", "number", "string"];

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : Number(a > b);
  return TYPES.indexOf(typeof a) - TYPES.indexOf(typeof b);
}
