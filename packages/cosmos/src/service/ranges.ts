/**
 * The physical partitions of a container. They change: after a split or merge an id gets the response 410 with one of
 * three sub-statuses (docs/reference/cosmos-protocol.md §2.1).
 *
 * - ranges.RA1: The list is read once for all requests of the process, also while the read is under way.
 * - ranges.RA2: It is read again after an id is gone; an id is not used again after it unless the new list has it. Many
 *   requests learn that the same id is gone, so only the list that had the id is dropped.
 * - ranges.RA3: A read that failed is not kept; the next request reads again.
 */
import type { Container } from "@azure/cosmos";
import type { Deadline } from "./call.ts";
import { type Failure, failureOf, isTransient } from "./failure.ts";

const GONE = 410;

/** Gone; being split or merged; being moved. */
const RANGE_CHANGES: readonly number[] = [1002, 1007, 1008];

export function isRangeGone({ status, substatus }: Pick<Failure, "status" | "substatus">): boolean {
  return status === GONE && substatus !== undefined && RANGE_CHANGES.includes(substatus);
}

export class Ranges<C = Deadline> {
  readonly #read: (call: C) => Promise<readonly string[]>;
  #ids: Promise<readonly string[]> | undefined;

  constructor(read: (call: C) => Promise<readonly string[]>) {
    this.#read = read;
  }

  ids(call: C): Promise<readonly string[]> {
    if (this.#ids !== undefined) return this.#ids;
    const reading = this.#read(call);
    this.#ids = reading;
    reading.catch(() => {
      if (this.#ids === reading) this.#ids = undefined;
    });
    return reading;
  }

  /** Called when one of the ids is gone. A list that was read since is kept. */
  forget(ids: Promise<readonly string[]> | undefined = this.#ids): void {
    if (this.#ids === ids) this.#ids = undefined;
  }

  /** The current list, as an argument of `forget`. */
  get known(): Promise<readonly string[]> | undefined {
    return this.#ids;
  }
}

/** One request. A list that is read during a split may have both the partition and its successors. */
export async function readRangeIds(
  container: Container,
): Promise<{ readonly ids: readonly string[]; readonly charge: number }> {
  const { resources, requestCharge } = await container.readPartitionKeyRanges().fetchAll();
  const replaced = new Set(resources.flatMap(({ parents }) => parents ?? []));
  const ids = resources.map(({ id }) => String(id)).filter((id) => !replaced.has(id));
  return { ids, charge: requestCharge };
}

/** The partition or the continuation of a query is gone. The query must begin again at its first page. */
export class QueryLost extends Error {
  override readonly name = "QueryLost";
  /** The code, as in the service's error. */
  readonly code: number = GONE;
  readonly substatus: number | undefined;

  constructor(message: string, substatus: number | undefined, cause: unknown) {
    super(message, { cause });
    this.substatus = substatus;
  }
}

/** Undefined if the request may be retried unchanged, or would be refused again. */
export function lostBy(error: unknown, continuationToken: string | undefined): QueryLost | undefined {
  const failure = failureOf(error);
  if (isRangeGone(failure)) {
    return new QueryLost("the physical partition is gone", failure.substatus, error);
  }
  if (continuationToken === undefined || isTransient(failure)) return undefined;
  return new QueryLost(`the continuation is refused: ${failure.message}`, undefined, error);
}
