/**
 * The requests of the provider, each retried until its call's time is over. The client library's own retries are
 * switched off, so that each attempt here is one request, and all requests are counted.
 */
import type { FeedOptions, SqlQuerySpec } from "@azure/cosmos";
import { type Clock, sleep } from "@duroxide-ts/core";
import { isError } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import type { Answer } from "./answer.ts";
import { checkEtags, readBy, ridOf } from "./answered-batch.ts";
import {
  type BatchOperation,
  type BatchOutcome,
  MAX_DOCUMENT_BYTES,
  returnsDocuments,
  sizeOf,
  toInput,
} from "./batch.ts";
import type { Deadline, RequestInfo, RequestKind } from "./call.ts";
import { documentTooLarge, failureOf, isLaggingReplica, MOST_LAGGING, toProviderError } from "./failure.ts";
import { type AllPages, after, isEmpty, type Page, rangeOptions } from "./pages.ts";
import { backOffMs, type Persisted, persist } from "./persist.ts";
import { lostBy, QueryLost, type Ranges, readRangeIds } from "./ranges.ts";
import { BY_ID, readById } from "./read-document.ts";
import { failedOperationOf, isOutcome, nameOf, OperationRefused } from "./refused-operation.ts";
import { type Parameters, spec } from "./spec.ts";
import type { Wire } from "./wire.ts";

interface Attempt {
  readonly kind: RequestKind;
  /** 1 for the first. */
  readonly attempt: number;
  /** The logical partition, if it is about one. */
  readonly partition?: string | undefined;
}

/** Page size that takes as many results as fit into 4 MB, so that a long history takes few requests. */
const FULL_PAGES = -1;

const TOO_LARGE = 413;

/** The requests of one contract method. */
export class Call implements Deadline {
  readonly operation: string;
  readonly signal?: AbortSignal;
  readonly #wire: Wire;
  readonly #untilMs: number;
  #charge = 0;

  constructor(wire: Wire, { operation, untilMs, signal }: Deadline) {
    this.#wire = wire;
    this.operation = operation;
    this.#untilMs = untilMs;
    if (signal !== undefined) this.signal = signal;
  }

  get untilMs(): number {
    return this.#wire.isEnding ? Number.NEGATIVE_INFINITY : this.#untilMs;
  }

  get clock(): Clock {
    return this.#wire.clock;
  }

  /** The request units of all requests so far. */
  get charge(): number {
    return this.#charge;
  }

  /**
   * `undefined` if there is no such document. After some refusals the client library has given up its session token
   * (http-client.HC1), and the document is read by a query. A read by id whose document does not exist has an answer
   * that does not name its container. If the container was created again, such an answer looks older than all earlier
   * ones (seen-positions.SP1). The answer to a query always names the container.
   */
  async read(instanceId: string, id: string): Promise<Stored | undefined> {
    const options = { partitionKey: instanceId, ...abort(this) };
    let lagging = 0;
    const { value } = await persist(this.#wire, this, async (_repeated, attempt) => {
      try {
        return await this.#attempt({ kind: "read", attempt, partition: instanceId }, () =>
          readById(this.#wire.container, id, options),
        );
      } catch (error) {
        if (!isLaggingReplica(failureOf(error)) || ++lagging < MOST_LAGGING) throw error;
        return "lagging";
      }
    });
    if (value !== "lagging") return value;
    const { results } = await this.page(instanceId, spec(BY_ID, { "@id": id }), 1);
    return results[0];
  }

  /** All results of a query in one logical partition. */
  async query<T = Stored>(instanceId: string, query: string, parameters?: Parameters): Promise<readonly T[]> {
    return (await this.queryInPages<T>(instanceId, query, parameters)).results;
  }

  /** The same, and whether they came in one page, which one replica has answered. */
  async queryInPages<T>(instanceId: string, query: string, parameters?: Parameters): Promise<AllPages<T>> {
    const options = { partitionKey: instanceId, maxItemCount: FULL_PAGES };
    return this.#fromTheStart(undefined, async () => {
      const results: T[] = [];
      let pages = 0;
      let continuation: string | undefined;
      do {
        const page = await this.#page<T>("query", spec(query, parameters), after(options, continuation));
        results.push(...page.results);
        continuation = page.continuation;
        pages++;
      } while (continuation !== undefined);
      return { results, isOnePage: pages === 1 };
    });
  }

  /** The next page that is not empty of a query in one logical partition, and whether it is the last one. */
  async page<T = Stored>(
    instanceId: string,
    spec: SqlQuerySpec,
    limit: number,
    continuationToken?: string,
  ): Promise<Page<T> & { readonly isAll: boolean }> {
    const options = { partitionKey: instanceId, maxItemCount: limit };
    const page = await this.#fromTheStart(continuationToken, async (start) => {
      let from = start;
      for (;;) {
        const next = await this.#page<T>("query", spec, after(options, from));
        if (!isEmpty(next)) return next;
        from = next.continuation;
      }
    });
    return { ...page, isAll: page.continuation === undefined };
  }

  /** The next results in one physical partition, at most `limit`: one attempt, which throws the library's error. */
  scan<T>(
    range: string,
    spec: SqlQuerySpec,
    limit: number,
    continuationToken: string | undefined,
  ): Promise<Page<T>> {
    return this.#attempt({ kind: "scan", attempt: 1 }, () =>
      this.#send<T>(spec, rangeOptions(range, limit, continuationToken)),
    );
  }

  /** The same with retries, skipping empty pages. Throws QueryLost if the partition or the continuation is gone. */
  async rangePage<T>(
    range: string,
    spec: SqlQuerySpec,
    limit: number | undefined,
    continuationToken: string | undefined,
  ): Promise<Page<T>> {
    const options = rangeOptions(range, limit, continuationToken);
    const { value } = await persist(this.#wire, this, async (_repeated, attempt) => {
      try {
        return await this.#attempt({ kind: "scan", attempt }, () => this.#send<T>(spec, options));
      } catch (error) {
        const lost = lostBy(error, continuationToken);
        if (lost === undefined) throw error;
        return lost;
      }
    });
    if (value instanceof QueryLost) throw value;
    return isEmpty(value) ? this.rangePage(range, spec, limit, value.continuation) : value;
  }

  /**
   * Calls `ask` for every physical partition, all at the same time. If one of them is gone, calls it again for all,
   * because the documents of two merged partitions would be returned twice.
   */
  async inRanges<T>(ask: (range: string) => Promise<T>): Promise<readonly T[]> {
    const { value } = await persist(this.#wire, this, async () => {
      const reading = this.#wire.ranges.ids(this);
      const ids = await reading;
      try {
        return await Promise.all(ids.map(ask));
      } catch (error) {
        if (error instanceof QueryLost) this.#wire.ranges.forget(reading);
        throw error;
      }
    });
    return value;
  }

  /**
   * The same for independent partitions: none waits for another one, and if one is gone, only its successors are asked.
   * Rejects with the first failure after all calls have settled.
   */
  async inEachRange(ask: (range: string) => Promise<void>): Promise<void> {
    const begun = new Set<string>();
    const failures: unknown[] = [];
    const askNew = async (): Promise<void> => {
      const reading = this.#wire.ranges.ids(this);
      const ids = (await reading).filter((id) => !begun.has(id));
      for (const id of ids) begun.add(id);
      const asking = ids.map(async (id) => {
        try {
          await ask(id);
        } catch (error) {
          if (!(error instanceof QueryLost)) throw error;
          begun.delete(id);
          this.#wire.ranges.forget(reading);
          throw error;
        }
      });
      const outcomes = await Promise.allSettled(asking.map((each) => each.catch(askAgain)));
      for (const outcome of outcomes) if (outcome.status === "rejected") failures.push(outcome.reason);
    };
    const askAgain = async (error: unknown): Promise<void> => {
      if (!(error instanceof QueryLost)) throw error;
      lost++;
      const delayMs = Math.ceil(backOffMs(lost, this.#wire.random));
      if (this.#wire.clock.now() + delayMs > this.untilMs) {
        throw toProviderError(this.operation, failureOf(error));
      }
      if (delayMs > 0) await sleep(this.#wire.clock, delayMs, this.signal);
      await askNew();
    };
    let lost = 0;
    await askNew();
    if (failures.length > 0) throw failures[0];
  }

  /** All results of a query over all partitions. */
  async queryAll<T>(query: string, parameters?: Parameters): Promise<readonly T[]> {
    const asked = spec(query, parameters);
    return (await this.inRanges((range) => this.queryRange<T>(range, asked))).flat();
  }

  /** All results in one physical partition. */
  async queryRange<T>(range: string, spec: SqlQuerySpec): Promise<readonly T[]> {
    const results: T[] = [];
    let continuation: string | undefined;
    do {
      const page = await this.rangePage<T>(range, spec, undefined, continuation);
      results.push(...page.results);
      continuation = page.continuation;
    } while (continuation !== undefined);
    return results;
  }

  /**
   * Executes all operations or none. A false condition is an outcome (`isOutcome`); every other refusal throws a
   * ProviderError, `invalid-input` if a document is too large.
   */
  async batch(instanceId: string, operations: readonly BatchOperation[]): Promise<BatchOutcome> {
    const { unfinished, clock } = this.#wire;
    unfinished.sent(instanceId, operations, clock.now());
    try {
      const outcome = await this.#batch(instanceId, operations);
      unfinished.answered(instanceId, operations, outcome);
      return outcome;
    } catch (error) {
      const isTooLarge = failureOf(isError(error) ? error.cause : error).status === TOO_LARGE;
      const bytes = isTooLarge ? Math.max(...operations.map(sizeOf)) : 0;
      if (bytes > MAX_DOCUMENT_BYTES) throw documentTooLarge(this.operation, bytes, error);
      throw error;
    }
  }

  /**
   * Meets the newest state of the partition with a write that is refused: reads afterwards show what other processes have
   * written before (docs/decisions/cosmos-replicas.md).
   */
  async fence(instanceId: string): Promise<void> {
    await this.batch(instanceId, [{ kind: "delete", id: "__fence__" }]);
  }

  async #batch(instanceId: string, operations: readonly BatchOperation[]): Promise<BatchOutcome> {
    const contentResponseOnWriteEnabled = returnsDocuments(operations);
    const { value, repeated } = await this.#persist("batch", instanceId, async () => {
      // Not aborted: a lock whose answer nobody hears would last until its end, and count as an attempt.
      const options = { contentResponseOnWriteEnabled };
      const answer = await this.#wire.container.items.batch(operations.map(toInput), instanceId, options);
      const results = answer.result ?? [];
      const failed = failedOperationOf(results);
      const charge = Number(answer.headers?.["x-ms-request-charge"] ?? 0);
      const refused = failed && operations[failed.index];
      if (failed !== undefined && (refused === undefined || !isOutcome(refused, failed.status))) {
        throw new OperationRefused(failed, answer.headers, nameOf(refused));
      }
      return { value: { failed, results }, status: answer.code ?? 200, charge };
    });
    const { failed, results } = value;
    if (failed !== undefined) return { ok: false, ...failed, repeated };
    if (contentResponseOnWriteEnabled) checkEtags(this, operations, results);
    return {
      ok: true,
      etags: results.map(({ eTag = "" }) => eTag),
      rids: results.map(ridOf),
      document: readBy(operations, results),
      repeated,
    };
  }

  /** Reads pages again from the first one while a continuation is refused. One of the caller's cannot be replaced. */
  async #fromTheStart<T>(
    start: string | undefined,
    read: (start: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { value } = await persist(this.#wire, this, async () => {
      try {
        return await read(start);
      } catch (error) {
        if (!(error instanceof QueryLost) || start === undefined) throw error;
        throw toProviderError(this.operation, failureOf(error));
      }
    });
    return value;
  }

  async #page<T>(kind: RequestKind, spec: SqlQuerySpec, options: FeedOptions): Promise<Page<T>> {
    const { continuationToken, partitionKey } = options;
    const partition = typeof partitionKey === "string" ? partitionKey : undefined;
    const { value } = await persist(this.#wire, this, async (_repeated, attempt) => {
      try {
        return await this.#attempt({ kind, attempt, partition }, () => this.#send<T>(spec, options));
      } catch (error) {
        const lost = continuationToken === undefined ? undefined : lostBy(error, continuationToken);
        if (lost === undefined) throw error;
        return lost;
      }
    });
    if (value instanceof QueryLost) throw value;
    return value;
  }

  async #send<T>(spec: SqlQuerySpec, options: FeedOptions): Promise<Answer<Page<T>>> {
    const page = await this.#wire.container.items.query<T>(spec, { ...options, ...abort(this) }).fetchNext();
    // The library returns no list if the service sent no rows.
    const results = page.resources ?? [];
    return {
      value: { results, continuation: page.continuationToken },
      status: 200,
      charge: page.requestCharge,
      results: results.length,
    };
  }

  /** Whether the service does not respond at all. */
  get isOut(): boolean {
    return this.#wire.outage?.isOn === true;
  }

  /** The physical partitions. */
  get ranges(): Ranges<Call> {
    return this.#wire.ranges;
  }

  async readRanges(): Promise<readonly string[]> {
    const { value } = await this.#persist("ranges", undefined, async () => {
      const { ids, charge } = await readRangeIds(this.#wire.container);
      return { value: ids, status: 200, charge };
    });
    return value;
  }

  #persist<T>(
    kind: RequestKind,
    partition: string | undefined,
    send: () => Promise<Answer<T>>,
  ): Promise<Persisted<T>> {
    return persist(this.#wire, this, (_repeated, attempt) =>
      this.#attempt({ kind, attempt, partition }, send),
    );
  }

  /** One attempt, which is reported whatever its outcome. */
  async #attempt<T>({ kind, attempt, partition }: Attempt, send: () => Promise<Answer<T>>): Promise<T> {
    const { clock, onRequest, outage } = this.#wire;
    if (outage?.isOn === true) await outage.enter(this);
    const pass = partition === undefined ? undefined : await this.#wire.throttled.enter(partition, this);
    const { operation } = this;
    const startedMs = clock.now();
    const report = (told: Pick<RequestInfo, "status" | "substatus" | "charge" | "results">): void => {
      this.#charge += told.charge;
      onRequest({ operation, kind, attempt, durationMs: clock.now() - startedMs, ...told });
    };
    try {
      const { value, status, charge, results } = await send();
      outage?.answered();
      pass?.(undefined);
      report({ status, substatus: undefined, charge, results });
      return value;
    } catch (error) {
      const failure = failureOf(error);
      const { status, substatus, charge } = failure;
      if (this.signal?.aborted !== true) outage?.failed(failure);
      pass?.(failure);
      report({ status, substatus, charge, results: undefined });
      throw error;
    }
  }
}

function abort({ signal }: Deadline): { readonly abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
