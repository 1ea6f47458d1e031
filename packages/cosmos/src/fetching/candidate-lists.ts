/** The lists of candidates of one queue: what one caller does not accept is still there for another. */
import type { SqlQuerySpec } from "@azure/cosmos";
import type { Service } from "../service/service.ts";
import { Candidates, type CandidatesOptions, type Row } from "./candidates.ts";
import type { FetchQueues } from "./fetch-queues.ts";
import { Part, type PartCondition } from "./slots/part.ts";
import { everySlot, type QueueName } from "./slots/slot-assignment.ts";

export interface QueueOptions<Found, T extends Row>
  extends Pick<CandidatesOptions<Found, T>, "slotOf" | "isNews" | "toCandidates" | "sort"> {
  readonly queue: QueueName;
  /** How long what becomes visible is for the holder of its slot alone. */
  readonly headStartMs: number;
  readonly waiting: { notify(): void };
}

/** Who asks. */
export interface Asking {
  /** Equal for those who may have the same. */
  readonly asks: string;
  readonly pollTimeoutMs: number;
}

export class CandidateLists<Found, T extends Row> {
  readonly #service: Service;
  readonly #queues: FetchQueues;
  readonly #options: QueueOptions<Found, T>;
  readonly #lists = new Map<string, Candidates<Found, T>>();

  constructor(service: Service, queues: FetchQueues, options: QueueOptions<Found, T>) {
    this.#service = service;
    this.#queues = queues;
    this.#options = options;
  }

  /** `spec` is what is asked, and stays the same for those who ask for the same. */
  listFor(
    { asks, pollTimeoutMs }: Asking,
    spec: (part: PartCondition) => SqlQuerySpec,
  ): Candidates<Found, T> {
    const waits = pollTimeoutMs > 0;
    const key = JSON.stringify([asks, waits]);
    const list = this.#lists.get(key) ?? this.#newList(asks, waits, spec);
    this.#lists.set(key, list);
    return list;
  }

  #newList(asks: string, waits: boolean, spec: (part: PartCondition) => SqlQuerySpec): Candidates<Found, T> {
    const service = this.#service;
    const { settings, quietLook, stop } = this.#queues;
    const { queue, headStartMs, waiting, ...row } = this.#options;
    const { max: intervalMs } = settings.pollIntervalMs;
    // Who cannot wait asks for everything that is there.
    const slots = waits ? settings.slots : everySlot;
    const part = new Part({ slots, group: { queue, asks }, clock: service.clock, headStartMs, intervalMs });
    const candidates = new Candidates<Found, T>({
      ...row,
      service,
      limits: settings.pollIntervalMs,
      part,
      stop,
      spec,
      onLate: () => waiting.notify(),
    });
    if (waits) quietLook.add({ type: queue, candidates, part, waiting });
    return candidates;
  }
}
