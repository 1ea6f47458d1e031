/**
 * The connection of a provider: its requests, with the clock, the random numbers and the warnings that they need.
 *
 * - service.SV1: A query that is refused for want of the composite index is the last one that sorts by it, until the
 *   process is started again: the container has lost the index, and every fetch would fail.
 * - service.SV2: Each row that the provider writes has a greater number than all earlier ones. The numbers order the
 *   rows of one millisecond.
 */
import type { Container, SqlQuerySpec } from "@azure/cosmos";
import type { Clock, Random } from "@duroxide-ts/core";
import { holderOf, type Processes, secretOf } from "@duroxide-ts/core/stores";
import type { Sequence } from "../documents/queue-order.ts";
import type { Deadline } from "./call.ts";
import { DUE_ORDER } from "./due-order.ts";
import { failureOf } from "./failure.ts";
import { Call } from "./requests.ts";
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
  readonly processes: Processes;
  readonly onWarning: (message: string, fields: WarningFields) => void;
}

const BY_TYPE_AND_TIME = DUE_ORDER.map((path) => `c.${path.slice(1)}`).join(", ");
const BY_TIME = "c.visibleAt";

const BAD_REQUEST = 400;

export class Service {
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  readonly warn: (message: string, fields: WarningFields) => void;
  readonly hasBlockedIndex: boolean;
  #dueOrder: string;
  readonly wire: Wire;
  /** Distinguishes the rows of this provider from those of others. */
  readonly #writer: string;
  #rows = 0;
  #holder: string | undefined;

  constructor(container: Container, options: ServiceOptions) {
    this.wire = makeWire(container, options);
    this.clock = options.clock;
    this.random = options.random;
    this.processes = options.processes;
    this.warn = options.onWarning;
    this.hasBlockedIndex = options.hasBlockedIndex === true;
    this.#dueOrder = options.hasDueOrder === true ? BY_TYPE_AND_TIME : BY_TIME;
    this.#writer = options.random.uuid().slice(0, 8);
  }

  /** The name of this process in the secrets of its locks (docs/decisions/crashes.md). */
  get holder(): string | undefined {
    const own = this.processes.own();
    if (own !== undefined) this.#holder ??= holderOf(own);
    return this.#holder;
  }

  /** A new secret for a lock. */
  lockSecret(): string {
    const { holder } = this;
    const uuid = this.random.uuid();
    return holder === undefined ? uuid : secretOf(holder, uuid);
  }

  /** Lets no request be sent again. */
  endRetries(): void {
    this.wire.isEnding = true;
  }

  /** A call whose requests are retried for this time from now. */
  call(operation: string, forMs: number, signal?: AbortSignal): Call {
    return new Call(this.wire, this.deadline(operation, forMs, signal));
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
