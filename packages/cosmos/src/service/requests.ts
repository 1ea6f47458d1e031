/**
 * The few requests that the provider makes, each tried again as long as its call is worth it. The client library's
 * own retries are switched off, so that a call here is one request there and every one of them is counted.
 */
import type { Container, FeedOptions, OperationResponse, SqlQuerySpec } from "@azure/cosmos";
import type { Stored } from "../documents/body.ts";
import { type BatchOperation, type BatchOutcome, MAX_DOCUMENT_BYTES, sizeOf, toInput } from "./batch.ts";
import type { Patience, RequestInfo, RequestKind } from "./call.ts";
import { documentTooLarge, failureOf } from "./failure.ts";
import { type Pace, type Persisted, persist } from "./persist.ts";
import { culpritOf, isOutcome, nameOf, OperationRefused } from "./refused-operation.ts";

export interface RequestsOptions extends Pace {
  readonly onRequest: (info: RequestInfo) => void;
}

/** Where a query stands in each physical partition that has more for it. */
export type RangePages = readonly { readonly range: string; readonly continuation: string }[];

export interface RangeAnswer<T> {
  readonly results: readonly T[];
  /** Undefined where this was all. */
  readonly next: RangePages | undefined;
}

const RANGE_HEADER = "x-ms-documentdb-partitionkeyrangeid";

const TOO_LARGE = 413;

/** What one attempt brought, with what is reported of it. */
interface Answer<T> {
  readonly value: T;
  readonly status: number;
  readonly charge: number;
  readonly results?: number;
}

export class Requests {
  readonly #container: Container;
  readonly #options: RequestsOptions;
  #ranges: Promise<readonly string[]> | undefined;

  constructor(container: Container, options: RequestsOptions) {
    this.#container = container;
    this.#options = options;
  }

  /** `undefined` where there is none. */
  async read(call: Patience, instanceId: string, id: string): Promise<Stored | undefined> {
    const { value } = await this.#persist(call, "read", async () => {
      const answer = await this.#container.item(id, instanceId).read<Record<string, unknown>>(abort(call));
      if (answer.statusCode === 404 && answer.substatus !== undefined && answer.substatus > 0) {
        throw Object.assign(new Error("read"), { code: 404, substatus: answer.substatus });
      }
      return { value: answer.resource, status: answer.statusCode, charge: answer.requestCharge };
    });
    return value as Stored | undefined;
  }

  /** All results of a query inside one partition. */
  async query<T = Stored>(call: Patience, instanceId: string, spec: SqlQuerySpec): Promise<readonly T[]> {
    return this.#allPages<T>(call, "query", spec, { partitionKey: instanceId });
  }

  /** The first results of a query inside one partition, in one request; and whether these are all. */
  async page<T = Stored>(
    call: Patience,
    instanceId: string,
    spec: SqlQuerySpec,
    limit: number,
  ): Promise<{ readonly results: readonly T[]; readonly isAll: boolean }> {
    const options = { partitionKey: instanceId, maxItemCount: limit };
    const { results, continuation } = await this.#page<T>(call, "query", spec, options);
    return { results, isAll: continuation === undefined };
  }

  /** The next results in every physical partition, `limit` at most from each, in one request for each. */
  async pages<T>(
    call: Patience,
    spec: SqlQuerySpec,
    limit: number,
    from?: RangePages,
  ): Promise<RangeAnswer<T>> {
    const ranges = from?.map(({ range }) => range) ?? (await this.rangeIds(call));
    try {
      const pages = await Promise.all(
        ranges.map(async (range, index) => {
          const continuationToken = from?.[index]?.continuation;
          return { range, ...(await this.rangePage<T>(call, range, spec, limit, continuationToken)) };
        }),
      );
      const next = pages.flatMap(({ range, continuation }) =>
        continuation === undefined ? [] : [{ range, continuation }],
      );
      return { results: pages.flatMap(({ results }) => results), next: next.length > 0 ? next : undefined };
    } catch (error) {
      // A partition that was split answers no more under its old id.
      this.#ranges = undefined;
      throw error;
    }
  }

  /** The next results in one physical partition, `limit` at most. */
  async rangePage<T>(
    call: Patience,
    range: string,
    spec: SqlQuerySpec,
    limit: number,
    continuationToken: string | undefined,
  ): Promise<{ readonly results: readonly T[]; readonly continuation: string | undefined }> {
    const options = { ...inRange(range), maxItemCount: limit };
    const more = continuationToken === undefined ? options : { ...options, continuationToken };
    return this.#page<T>(call, "scan", spec, more);
  }

  /** All results of a query over all partitions, one request for each page of each of them. */
  async queryAll<T>(call: Patience, spec: SqlQuerySpec): Promise<readonly T[]> {
    const ranges = await this.rangeIds(call);
    const results: T[] = [];
    for (const range of ranges)
      results.push(...(await this.#allPages<T>(call, "scan", spec, inRange(range))));
    return results;
  }

  /**
   * All of it or nothing. A condition that does not hold is an outcome (`isOutcome`); every other refusal throws a
   * ProviderError, `invalid-input` where a document is too large.
   */
  async batch(
    call: Patience,
    instanceId: string,
    operations: readonly BatchOperation[],
  ): Promise<BatchOutcome> {
    try {
      return await this.#batch(call, instanceId, operations);
    } catch (error) {
      const isTooLarge = failureOf(error instanceof Error ? error.cause : error).status === TOO_LARGE;
      const bytes = isTooLarge ? Math.max(...operations.map(sizeOf)) : 0;
      if (bytes > MAX_DOCUMENT_BYTES) throw documentTooLarge(call.operation, bytes, error);
      throw error;
    }
  }

  async #batch(
    call: Patience,
    instanceId: string,
    operations: readonly BatchOperation[],
  ): Promise<BatchOutcome> {
    const { value, repeated } = await this.#persist(call, "batch", async () => {
      const answer = await this.#container.items.batch(operations.map(toInput), instanceId, abort(call));
      const results = answer.result ?? [];
      const culprit = culpritOf(results);
      const charge = Number(answer.headers?.["x-ms-request-charge"] ?? 0);
      const refused = culprit && operations[culprit.index];
      if (culprit !== undefined && (refused === undefined || !isOutcome(refused, culprit.status))) {
        throw new OperationRefused(culprit, answer.headers, nameOf(refused));
      }
      return { value: { culprit, results }, status: answer.code ?? 200, charge };
    });
    const { culprit, results } = value;
    return culprit === undefined
      ? { ok: true, etags: results.map(({ eTag = "" }) => eTag), rids: results.map(ridOf), repeated }
      : { ok: false, ...culprit, repeated };
  }

  async #allPages<T>(
    call: Patience,
    kind: RequestKind,
    spec: SqlQuerySpec,
    options: FeedOptions,
  ): Promise<readonly T[]> {
    const results: T[] = [];
    let continuationToken: string | undefined;
    do {
      const from = continuationToken === undefined ? options : { ...options, continuationToken };
      const page = await this.#page<T>(call, kind, spec, from);
      results.push(...page.results);
      continuationToken = page.continuation;
    } while (continuationToken !== undefined);
    return results;
  }

  async #page<T>(
    call: Patience,
    kind: RequestKind,
    spec: SqlQuerySpec,
    options: FeedOptions,
  ): Promise<{ readonly results: readonly T[]; readonly continuation: string | undefined }> {
    const { value } = await this.#persist(call, kind, async () => {
      const page = await this.#container.items.query<T>(spec, { ...options, ...abort(call) }).fetchNext();
      const results = page.resources.length;
      return { value: page, status: 200, charge: page.requestCharge, results };
    });
    return { results: value.resources, continuation: value.continuationToken };
  }

  /** The ids of the physical partitions. */
  rangeIds(call: Patience): Promise<readonly string[]> {
    this.#ranges ??= this.#readRanges(call).catch((error: unknown) => {
      this.#ranges = undefined;
      throw error;
    });
    return this.#ranges;
  }

  async #readRanges(call: Patience): Promise<readonly string[]> {
    const { value } = await this.#persist(call, "ranges", async () => {
      const page = await this.#container.readPartitionKeyRanges().fetchAll();
      return { value: page.resources, status: 200, charge: page.requestCharge };
    });
    return value.map(({ id }) => String(id));
  }

  #persist<T>(call: Patience, kind: RequestKind, send: () => Promise<Answer<T>>): Promise<Persisted<T>> {
    return persist(this.#options, call, (_repeated, attempt) => this.#attempt(call, kind, attempt, send));
  }

  /** One attempt, which is reported whatever comes of it. */
  async #attempt<T>(
    { operation }: Patience,
    kind: RequestKind,
    attempt: number,
    send: () => Promise<Answer<T>>,
  ): Promise<T> {
    const { clock, onRequest } = this.#options;
    const startedMs = clock.now();
    const report = (told: Pick<RequestInfo, "status" | "substatus" | "charge" | "results">): void =>
      onRequest({ operation, kind, attempt, durationMs: clock.now() - startedMs, ...told });
    try {
      const { value, status, charge, results } = await send();
      report({ status, substatus: undefined, charge, results });
      return value;
    } catch (error) {
      const { status, substatus, charge } = failureOf(error);
      report({ status, substatus, charge, results: undefined });
      throw error;
    }
  }
}

function ridOf({ resourceBody }: OperationResponse): string | undefined {
  const rid = resourceBody?.["_rid"];
  return typeof rid === "string" ? rid : undefined;
}

/** So that the query goes to one physical partition, and no plan is needed for it. */
function inRange(rangeId: string): FeedOptions {
  return { initialHeaders: { [RANGE_HEADER]: rangeId } };
}

function abort({ signal }: Patience): { readonly abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
