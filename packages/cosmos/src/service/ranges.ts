/**
 * The physical partitions of a container. They change: one that was split or merged answers no more under its id, and
 * 410 with one of three sub-statuses says so (docs/reference/cosmos-protocol.md §2.1). The list is read once, and again
 * after each such answer; no id is asked twice after it unless the list still has it.
 */
import type { Container } from "@azure/cosmos";
import type { Patience } from "./call.ts";
import { type Failure, failureOf, isTransient } from "./failure.ts";

const GONE = 410;

/** Gone; being split or merged; being moved. */
const RANGE_CHANGES: readonly number[] = [1002, 1007, 1008];

export function isRangeGone({ status, substatus }: Pick<Failure, "status" | "substatus">): boolean {
  return status === GONE && substatus !== undefined && RANGE_CHANGES.includes(substatus);
}

export class Ranges {
  readonly #read: (call: Patience) => Promise<readonly string[]>;
  #ids: Promise<readonly string[]> | undefined;

  constructor(read: (call: Patience) => Promise<readonly string[]>) {
    this.#read = read;
  }

  ids(call: Patience): Promise<readonly string[]> {
    if (this.#ids !== undefined) return this.#ids;
    const reading = this.#read(call);
    this.#ids = reading;
    reading.catch(() => {
      if (this.#ids === reading) this.#ids = undefined;
    });
    return reading;
  }

  /** One of the ids that were read is gone. Where they have been read anew since, they stay. */
  forget(ids: Promise<readonly string[]> | undefined = this.#ids): void {
    if (this.#ids === ids) this.#ids = undefined;
  }

  /** What `forget` takes: the list as it is known now. */
  get known(): Promise<readonly string[]> | undefined {
    return this.#ids;
  }
}

/** One request. */
export async function readRangeIds(
  container: Container,
): Promise<{ readonly ids: readonly string[]; readonly charge: number }> {
  const { resources, requestCharge } = await container.readPartitionKeyRanges().fetchAll();
  return { ids: resources.map(({ id }) => String(id)), charge: requestCharge };
}

/** The query stands nowhere any more: its partition or its continuation is gone. It begins again from its front. */
export class QueryLost extends Error {
  override readonly name = "QueryLost";
  /** As the service's error has them. */
  readonly code: number = GONE;
  readonly substatus: number | undefined;

  constructor(message: string, substatus: number | undefined, cause: unknown) {
    super(message, { cause });
    this.substatus = substatus;
  }
}

/** Undefined where the request may be tried again as it is, or will be refused again. */
export function lostBy(error: unknown, continuationToken: string | undefined): QueryLost | undefined {
  const failure = failureOf(error);
  if (isRangeGone(failure)) {
    return new QueryLost("the physical partition is gone", failure.substatus, error);
  }
  if (continuationToken === undefined || isTransient(failure)) return undefined;
  return new QueryLost(`the continuation is refused: ${failure.message}`, undefined, error);
}
