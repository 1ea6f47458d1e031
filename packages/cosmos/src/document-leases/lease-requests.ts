/** The requests of leases, to a container with any partition key. */
import type {
  Container,
  FeedOptions,
  OperationInput,
  PartitionKey,
  PatchRequestBody,
  SqlQuerySpec,
} from "@azure/cosmos";
import { abortAfter } from "@duroxide-ts/core/stores";
import type { Deadline } from "../service/call.ts";
import { type Pace, type Persisted, persist } from "../service/persist.ts";
import { lostBy, QueryLost, Ranges, readRangeIds } from "../service/ranges.ts";
import { failedOperationOf, OperationRefused } from "../service/refused-operation.ts";
import type { LeasableDocument } from "./lease.ts";
import type { LeaseSettings } from "./settings.ts";
import { type Settled, unlessRefused } from "./settled.ts";

/** The scope of a query: one logical partition, or one physical one. */
export type QueryScope = { readonly partitionKey: PartitionKey } | { readonly range: string };

export interface QueryPage<T> {
  readonly rows: readonly T[];
  /** Undefined on the last page. */
  readonly continuation: string | undefined;
}

const RANGE_HEADER = "x-ms-documentdb-partitionkeyrangeid";

export class LeaseRequests {
  readonly pace: Pace;
  readonly #container: Container;
  readonly #requestTimeoutMs: number;
  readonly ranges: Ranges;

  constructor(container: Container, settings: Pace & Pick<LeaseSettings, "requestTimeoutMs">) {
    this.#container = container;
    this.pace = settings;
    this.#requestTimeoutMs = settings.requestTimeoutMs;
    this.ranges = new Ranges(async (call) => {
      const { value } = await persist(this.pace, call, () => readRangeIds(container));
      return value.ids;
    });
  }

  /** Ends one request in real time. The client is the caller's, and may wait for much longer by itself. */
  #limit(): { readonly abortSignal: AbortSignal } {
    return { abortSignal: abortAfter(this.#requestTimeoutMs) };
  }

  /** A call whose requests are retried for this time from now. */
  call(operation: string, forMs: number): Deadline {
    return { operation, untilMs: this.pace.clock.now() + forMs };
  }

  /**
   * The next rows, at most `most`. A page may be empty although there are more. Throws QueryLost if the physical
   * partition or the continuation is gone.
   */
  async query<T>(
    call: Deadline,
    scope: QueryScope,
    spec: SqlQuerySpec,
    most: number,
    continuationToken?: string,
  ): Promise<QueryPage<T>> {
    const options = { ...toFeedOptions(scope), maxItemCount: most };
    const from = continuationToken === undefined ? options : { ...options, continuationToken };
    const { value } = await persist(this.pace, call, async () => {
      try {
        return await this.#container.items.query<T>(spec, { ...from, ...this.#limit() }).fetchNext();
      } catch (error) {
        const lost = lostBy(error, continuationToken);
        if (lost === undefined) throw error;
        return lost;
      }
    });
    if (value instanceof QueryLost) throw value;
    // The SDK returns no list if the service sent no rows.
    return { rows: value.resources ?? [], continuation: value.continuationToken };
  }

  /**
   * Executes all patches or none. Resolves to the documents after the patches, or to undefined if a condition is false
   * or a document is gone.
   */
  async batch(
    call: Deadline,
    partitionKey: PartitionKey,
    operations: readonly OperationInput[],
  ): Promise<Persisted<readonly LeasableDocument[] | undefined>> {
    return persist(this.pace, call, async () => {
      const { items } = this.#container;
      const { result = [], headers } = await items.batch([...operations], partitionKey, this.#limit());
      const failedOperation = failedOperationOf(result);
      if (failedOperation === undefined)
        return result.map(({ resourceBody }) => resourceBody as unknown as LeasableDocument);
      if (LOST.includes(failedOperation.status)) return undefined;
      throw new OperationRefused(failedOperation, headers);
    });
  }

  /** Not ok: the condition is false (412), or there is no such document (404). */
  async patch(
    call: Deadline,
    id: string,
    partitionKey: PartitionKey,
    body: PatchRequestBody,
  ): Promise<Persisted<Settled<LeasableDocument>>> {
    const item = this.#container.item(id, partitionKey);
    return persist(this.pace, call, () =>
      unlessRefused(
        LOST,
        item.patch<LeasableDocument>(body, this.#limit()).then(({ resource }) => resource ?? { id }),
      ),
    );
  }

  /** Not ok: the document has changed since it had the ETag (412), or there is no such document (404). */
  async replace(
    call: Deadline,
    partitionKey: PartitionKey,
    document: LeasableDocument,
    etag: string,
  ): Promise<Persisted<Settled<LeasableDocument>>> {
    const item = this.#container.item(document.id, partitionKey);
    const accessCondition = { type: "IfMatch", condition: etag };
    return persist(this.pace, call, () =>
      unlessRefused(
        LOST,
        item
          .replace<LeasableDocument>(document, { accessCondition, ...this.#limit() })
          .then(({ resource }) => resource ?? document),
      ),
    );
  }

  /** Not ok: there is no such procedure, it may not be executed, or it failed. */
  async execute(
    call: Deadline,
    partitionKey: PartitionKey,
    procedureId: string,
    argument: (repeated: boolean) => object,
  ): Promise<Settled<unknown>> {
    const procedure = this.#container.scripts.storedProcedure(procedureId);
    const { value } = await persist(this.pace, call, (repeated) =>
      unlessRefused(
        NO_PROCEDURE,
        procedure
          .execute<unknown>(partitionKey, [argument(repeated)], this.#limit())
          .then(({ resource }) => resource),
      ),
    );
    return value;
  }
}

/** The statuses of a conditional write after a concurrent one. */
const LOST: readonly number[] = [404, 412];

const NO_PROCEDURE: readonly number[] = [400, 401, 403, 404, 405, 413];

function toFeedOptions(scope: QueryScope): FeedOptions {
  return "range" in scope ? { initialHeaders: { [RANGE_HEADER]: scope.range } } : scope;
}
