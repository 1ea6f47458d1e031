/** The log of requests: the last ones one by one, and all of them counted by kind. */
import type { OperationKind } from "../requests/operation-kind.ts";

/** One request and how it was answered. */
export interface LoggedRequest {
  /** Number of the request, 1 for the first one of this endpoint. */
  readonly sequence: number;
  /** Time at which its answer was ready, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly method: string;
  /** Path as sent, percent-encoded. */
  readonly path: string;
  /** Kind of operation; absent where the request was refused before it was understood. */
  readonly operation?: OperationKind;
  /** The raw partition key header. */
  readonly partitionKey?: string;
  /** The physical partition that a query or a feed named. */
  readonly range?: string;
  readonly status: number;
  readonly substatus?: number;
  /** Request units. */
  readonly charge: number;
  readonly durationMs: number;
  /** Whether the explorer page sent it. */
  readonly fromExplorer?: true;
  /** Error with its stack, where the endpoint itself failed (500). */
  readonly failure?: string;
}

/** Requests of one kind, or of all. */
export interface RequestCount {
  readonly requests: number;
  /** Request units. */
  readonly charge: number;
}

/** Counts of the requests of clients; those of the explorer page are left out. */
export interface RequestCounts {
  readonly total: RequestCount;
  readonly byOperation: ReadonlyMap<OperationKind, RequestCount>;
}

/** A moment to count from. */
export type RequestMark = RequestCounts;

const NOTHING: RequestCount = { requests: 0, charge: 0 };

/** The last requests, and counts of all. */
export class RequestLog {
  readonly #capacity: number;
  readonly #ring: LoggedRequest[] = [];
  readonly #counts = new Map<OperationKind, RequestCount>();
  #total: RequestCount = NOTHING;
  #lastSequence = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * Adds the next request.
   *
   * @internal
   */
  add(entry: Omit<LoggedRequest, "sequence">): void {
    this.#lastSequence += 1;
    if (this.#capacity > 0) {
      this.#ring[(this.#lastSequence - 1) % this.#capacity] = { sequence: this.#lastSequence, ...entry };
    }
    if (entry.fromExplorer) return;
    this.#total = plus(this.#total, entry.charge);
    const { operation } = entry;
    if (operation !== undefined) {
      this.#counts.set(operation, plus(this.#counts.get(operation) ?? NOTHING, entry.charge));
    }
  }

  /**
   * Returns the last requests that are still kept, oldest first; with `after`, only those with a greater sequence.
   */
  entries(after = 0): readonly LoggedRequest[] {
    const first = Math.max(1, this.#lastSequence - this.#capacity + 1, after + 1);
    const found: LoggedRequest[] = [];
    for (let sequence = first; sequence <= this.#lastSequence; sequence += 1) {
      const entry = this.#ring[(sequence - 1) % this.#capacity];
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  /** Returns a moment to count from, for `since`. */
  mark(): RequestMark {
    return { total: this.#total, byOperation: new Map(this.#counts) };
  }

  /** Counts the requests of each kind since a mark, or since the start, and their charges. */
  since(mark: RequestMark = { total: NOTHING, byOperation: new Map() }): RequestCounts {
    const byOperation = new Map<OperationKind, RequestCount>();
    for (const [operation, now] of this.#counts) {
      const difference = minus(now, mark.byOperation.get(operation) ?? NOTHING);
      if (difference.requests > 0) byOperation.set(operation, difference);
    }
    return { total: minus(this.#total, mark.total), byOperation };
  }
}

function plus(count: RequestCount, charge: number): RequestCount {
  return { requests: count.requests + 1, charge: count.charge + charge };
}

/**
 * Subtracts counts. Sums of doubles drift; charges have two decimals, so the difference is rounded well below them.
 */
function minus(later: RequestCount, earlier: RequestCount): RequestCount {
  const charge = Math.round((later.charge - earlier.charge) * 1e6) / 1e6;
  return { requests: later.requests - earlier.requests, charge };
}
