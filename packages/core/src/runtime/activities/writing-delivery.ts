/**
 * One delivery of an activity as a writer: who it is, and how it stores something.
 *
 * - writing-delivery.WD1: What it stores is stored under the lock of the activity. A store that fails is tried again until
 *   that is lost; then the store refuses it, because another delivery may have written.
 */
import { doubledMs, sleep } from "../../contract/clock.ts";
import { deliveryOf } from "../../contract/delivery.ts";
import type { FetchedWork } from "../../contract/provider.ts";
import { ProviderError, type ProviderErrorCode } from "../../contract/provider-error.ts";
import type { StreamWriter } from "../../contract/streams.ts";
import type { ActivityExecute } from "../../wire/work-item.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { RunningActivity } from "../running/running-activities.ts";

const FIRST_RETRY_MS = 20;
const LONGEST_RETRY_MS = 1_000;

/** Errors after which a repetition cannot succeed. */
const FINAL: ReadonlySet<ProviderErrorCode> = new Set([
  "invalid-input",
  "unsupported",
  "read-only",
  "closed",
  "store-gone",
]);

/** The delivery that writes. */
export interface WritingCall {
  readonly settings: RuntimeSettings;
  readonly fetched: FetchedWork;
  readonly run: RunningActivity;
}

export type Writer = Omit<StreamWriter, "written">;

export class WritingDelivery {
  readonly #call: WritingCall;
  readonly #id: string;

  constructor(call: WritingCall) {
    this.#call = call;
    this.#id = call.settings.random.uuid();
  }

  /** writing-delivery.WD1 */
  async store<T>(send: (writer: Writer) => Promise<T>): Promise<T> {
    const { settings, run } = this.#call;
    for (let attempt = 0; ; attempt++) {
      const { token } = run.lock;
      try {
        return await send(this.#writer(token));
      } catch (error) {
        if (!ProviderError.is(error) || FINAL.has(error.code)) throw error;
        const isReplaced = token !== run.lock.token;
        if (run.lock.isLost || run.abandoned || (error.code === "lock-lost" && !isReplaced)) throw error;
        if (!isReplaced) await sleep(settings.clock, doubledMs(FIRST_RETRY_MS, LONGEST_RETRY_MS, attempt));
      }
    }
  }

  #writer(lockToken: string): Writer {
    const { fetched } = this.#call;
    const { item } = fetched;
    const retries = item.retry_of === undefined ? 0 : 1;
    return {
      call: callOf(item),
      name: item.name,
      delivery: this.#id,
      leastAttempt: retries + deliveryOf(fetched),
      lockToken,
    };
  }
}

/** The id of the call's first attempt, with its execution after the first. */
export function callOf({
  execution_id,
  key_execution = execution_id,
  id,
  retry_of = id,
}: ActivityExecute): string {
  return Number(key_execution) === 1 ? String(retry_of) : `${key_execution}:${retry_of}`;
}

/** Whether an earlier delivery of the call may have left something. */
export function isRepeated(fetched: FetchedWork): boolean {
  return fetched.item.retry_of !== undefined || deliveryOf(fetched) > 1;
}
