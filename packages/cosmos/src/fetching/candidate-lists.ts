/** The lists of candidates of one queue: what one caller does not accept is still there for another. */
import type { SqlQuerySpec } from "@azure/cosmos";
import { Part, type PartCondition } from "../slots/part.ts";
import { everySlot, type QueueName } from "../slots/slot-assignment.ts";
import type { Store } from "../store/store.ts";
import { Candidates, type CandidatesOptions, type Row } from "./candidates.ts";

export interface QueueOptions<Found, T extends Row>
  extends Pick<CandidatesOptions<Found, T>, "slotOf" | "isNews" | "toCandidates"> {
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
  readonly #store: Store;
  readonly #options: QueueOptions<Found, T>;
  readonly #lists = new Map<string, Candidates<Found, T>>();

  constructor(store: Store, options: QueueOptions<Found, T>) {
    this.#store = store;
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
    const { clock, requests, settings, quietLook } = this.#store;
    const { queue, headStartMs, waiting, ...row } = this.#options;
    // Who cannot wait asks for everything that is there.
    const slots = waits ? settings.slots : everySlot;
    const part = new Part({ slots, group: { queue, asks }, clock, headStartMs });
    const candidates = new Candidates<Found, T>({
      ...row,
      requests,
      clock,
      limits: settings.pollIntervalMs,
      part,
      spec,
    });
    if (waits) quietLook.add({ type: queue, candidates, part, waiting });
    return candidates;
  }
}
