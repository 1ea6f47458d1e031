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
import type { Sequence } from "../documents/queue-order.ts";
import type { BatchOperation, BatchOutcome } from "./batch.ts";
import type { Deadline } from "./call.ts";
import { DUE_ORDER } from "./due-order.ts";
import { failureOf } from "./failure.ts";
import type { Page } from "./pages.ts";
import { spreadMs } from "./persist.ts";
import { Requests } from "./requests.ts";
import { Unfinished } from "./unfinished.ts";
import { makeWire, type RequestsOptions, type Wire } from "./wire.ts";

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
  readonly wire: Wire;
  /** Distinguishes the rows of this provider from those of others. */
  readonly #writer: string;
  #rows = 0;

  constructor(container: Container, options: ServiceOptions) {
    this.wire = makeWire(container, options);
    this.clock = options.clock;
    this.random = options.random;
    this.warn = options.onWarning;
    this.hasBlockedIndex = options.hasBlockedIndex === true;
    this.#dueOrder = options.hasDueOrder === true ? BY_TYPE_AND_TIME : BY_TIME;
    this.#writer = options.random.uuid().slice(0, 8);
  }

  /** Lets no request be sent again. */
  endRetries(): void {
    this.wire.isEnding = true;
  }

  /** A call whose requests are retried for this time from now. */
  call(operation: string, forMs: number, signal?: AbortSignal): Call {
    return new Call(this, this.deadline(operation, forMs, signal));
  }

  deadline(operation: string, forMs: number, signal?: AbortSignal): Deadline {
    const untilMs = this.clock.now() + forMs;
    return signal === undefined ? { operation, untilMs } : { operation, untilMs, signal };
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
export class Call extends Requests {
  readonly service: Service;

  constructor(service: Service, deadline: Deadline) {
    super(service.wire, deadline);
    this.service = service;
  }

  get clock(): Clock {
    return this.service.clock;
  }

  override async scan<T>(
    range: string,
    spec: SqlQuerySpec,
    limit: number,
    continuation: string | undefined,
  ): Promise<Page<T>> {
    try {
      return await super.scan(range, spec, limit, continuation);
    } catch (error) {
      this.service.queryRefused(spec, error);
      throw error;
    }
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
    await super.batch(instanceId, [{ kind: "delete", id: "__fence__" }]);
  }

  override async batch(instanceId: string, operations: readonly BatchOperation[]): Promise<BatchOutcome> {
    const { unfinished, clock } = this.service;
    unfinished.sent(instanceId, operations, clock.now());
    const outcome = await super.batch(instanceId, operations);
    unfinished.answered(instanceId, operations, outcome);
    return outcome;
  }
}
