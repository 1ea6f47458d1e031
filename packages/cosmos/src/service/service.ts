/**
 * The connection of a provider: its requests, with the clock, the random numbers and the warnings that they need.
 *
 * - service.SV1: A query that is refused for want of the composite index is the last one that sorts by it, until the
 *   process is started again: the container has lost the index, and every fetch would fail.
 * - service.SV2: Each row that the provider writes has a greater number than all earlier ones. The numbers order the
 *   rows of one millisecond.
 */
import type { Container, SqlQuerySpec } from "@azure/cosmos";
import { type Clock, ProviderError, type Random, sleep } from "@duroxide-ts/core";
import type { Stored } from "../documents/body.ts";
import type { Sequence } from "../documents/queue-order.ts";
import type { BatchOperation, BatchOutcome } from "./batch.ts";
import type { Patience } from "./call.ts";
import { DUE_ORDER } from "./due-order.ts";
import { failureOf } from "./failure.ts";
import type { AllPages, Page } from "./pages.ts";
import { spreadMs } from "./persist.ts";
import type { Ranges } from "./ranges.ts";
import { Requests, type RequestsOptions } from "./requests.ts";
import { Unfinished } from "./unfinished.ts";

export interface WarningFields {
  readonly instanceId?: string;
  /** Set for what is wrong with the surroundings of the provider and can be mended while it runs. */
  readonly about?: "clock" | "indexes";
}

export interface ServiceOptions extends RequestsOptions {
  /** The container has the index for the order of due work by type and time. Without it, queries order by time alone. */
  readonly hasDueOrder?: boolean;
  /** The container has the index of blocked work. Without it, blocked work is not counted. */
  readonly hasBlockedIndex?: boolean;
  readonly onWarning: (message: string, fields: WarningFields) => void;
}

const BY_TYPE_AND_TIME = DUE_ORDER.map((path) => `c.${path.slice(1)}`).join(", ");
const BY_TIME = "c.visibleAt";

const BAD_REQUEST = 400;

export class Service {
  readonly clock: Clock;
  readonly random: Random;
  readonly warn: (message: string, fields: WarningFields) => void;
  readonly hasBlockedIndex: boolean;
  readonly unfinished: Unfinished = new Unfinished();
  #dueOrder: string;
  readonly #requests: Requests;
  /** Distinguishes the rows of this provider from those of others. */
  readonly #writer: string;
  #rows = 0;

  constructor(container: Container, options: ServiceOptions) {
    this.#requests = new Requests(container, options);
    this.clock = options.clock;
    this.random = options.random;
    this.warn = options.onWarning;
    this.hasBlockedIndex = options.hasBlockedIndex === true;
    this.#dueOrder = options.hasDueOrder === true ? BY_TYPE_AND_TIME : BY_TIME;
    this.#writer = options.random.uuid().slice(0, 8);
  }

  /** A call whose requests are retried for this time from now. */
  call(operation: string, forMs: number, signal?: AbortSignal): Call {
    const untilMs = this.clock.now() + forMs;
    const patience = signal === undefined ? { operation, untilMs } : { operation, untilMs, signal };
    return new Call(this, this.#requests, patience);
  }

  /** Property by which queries for due work of one type sort (docs/decisions/cosmos-finding-work.md). */
  get dueOrder(): string {
    return this.#dueOrder;
  }

  /** A query was refused (service.SV1). */
  queryRefused({ query }: SqlQuerySpec, error: unknown): void {
    if (this.#dueOrder === BY_TIME || failureOf(error).status !== BAD_REQUEST) return;
    if (!query.endsWith(this.#dueOrder)) return;
    this.#dueOrder = BY_TIME;
    const message = `the container has lost the composite index on (${DUE_ORDER.join(", ")}), or is still building it; queries for due work do without it until this process is started again`;
    this.warn(message, {});
  }

  /** The number of the next row that this process writes (service.SV2). */
  nextSequence(): Sequence {
    return { writer: this.#writer, number: this.#rows++ };
  }
}

/** The first pause after a conflict with other writers: longer than a write takes. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** The requests of one contract method, each retried until the call's time is over (requests.ts). */
export class Call implements Patience {
  readonly service: Service;
  readonly operation: string;
  readonly untilMs: number;
  readonly signal?: AbortSignal;
  readonly #requests: Requests;
  #charge = 0;

  constructor(service: Service, requests: Requests, { operation, untilMs, signal }: Patience) {
    this.service = service;
    this.#requests = requests;
    this.operation = operation;
    this.untilMs = untilMs;
    if (signal !== undefined) this.signal = signal;
  }

  /** The request units of all requests so far. */
  get charge(): number {
    return this.#charge;
  }

  charged(charge: number): void {
    this.#charge += charge;
  }

  read(instanceId: string, id: string): Promise<Stored | undefined> {
    return this.#requests.read(this, instanceId, id);
  }

  query<T = Stored>(instanceId: string, spec: SqlQuerySpec): Promise<readonly T[]> {
    return this.#requests.query(this, instanceId, spec);
  }

  queryInPages<T>(instanceId: string, spec: SqlQuerySpec): Promise<AllPages<T>> {
    return this.#requests.queryInPages(this, instanceId, spec);
  }

  page<T = Stored>(
    instanceId: string,
    spec: SqlQuerySpec,
    limit: number,
    continuation?: string,
  ): Promise<Page<T> & { readonly isAll: boolean }> {
    return this.#requests.page(this, instanceId, spec, limit, continuation);
  }

  async scan<T>(
    range: string,
    spec: SqlQuerySpec,
    limit: number,
    continuation: string | undefined,
  ): Promise<Page<T>> {
    try {
      return await this.#requests.scan(this, range, spec, limit, continuation);
    } catch (error) {
      this.service.queryRefused(spec, error);
      throw error;
    }
  }

  rangePage<T>(
    range: string,
    spec: SqlQuerySpec,
    limit: number,
    continuation: string | undefined,
  ): Promise<Page<T>> {
    return this.#requests.rangePage(this, range, spec, limit, continuation);
  }

  queryRange<T>(range: string, spec: SqlQuerySpec): Promise<readonly T[]> {
    return this.#requests.queryRange(this, range, spec);
  }

  get isOut(): boolean {
    return this.#requests.isOut;
  }

  get ranges(): Ranges {
    return this.#requests.ranges;
  }

  inRanges<T>(ask: (range: string) => Promise<T>): Promise<readonly T[]> {
    return this.#requests.inRanges(this, ask);
  }

  inEachRange(ask: (range: string) => Promise<void>): Promise<void> {
    return this.#requests.inEachRange(this, ask);
  }

  queryAll<T>(spec: SqlQuerySpec): Promise<readonly T[]> {
    return this.#requests.queryAll(this, spec);
  }

  /**
   * Waits before a retry after a conflict with other writers: resolves at once after the first attempt, then
   * after a growing pause. Throws `unavailable` when the time of the call is over.
   */
  async again(attempt: number): Promise<void> {
    const { clock, random } = this.service;
    if (attempt > 1) {
      const delayMs = spreadMs(FIRST_PAUSE_MS, LONGEST_PAUSE_MS, attempt - 2, random);
      await sleep(clock, Math.ceil(delayMs), this.signal);
    }
    if (clock.now() < this.untilMs && this.signal?.aborted !== true) return;
    const message =
      "other processes kept changing the same documents until the time was over; the same call may succeed later";
    throw new ProviderError({ code: "unavailable", operation: this.operation, message });
  }

  /**
   * Meets the newest state of the partition with a write that is refused: reads afterwards show what other processes have
   * written before (docs/decisions/cosmos-replicas.md).
   */
  async fence(instanceId: string): Promise<void> {
    await this.#requests.batch(this, instanceId, [{ kind: "delete", id: "__fence__" }]);
  }

  async batch(instanceId: string, operations: readonly BatchOperation[]): Promise<BatchOutcome> {
    const { unfinished, clock } = this.service;
    unfinished.sent(instanceId, operations, clock.now());
    const outcome = await this.#requests.batch(this, instanceId, operations);
    unfinished.answered(instanceId, operations, outcome);
    return outcome;
  }
}
