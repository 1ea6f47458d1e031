/**
 * The progress that one delivery of an activity reports.
 *
 * - step-progress.SP1: The first report is stored at once, and then one in a second at most: the latest. The last one is
 *   stored before the outcome, so that the next attempt of a call that failed knows it.
 */
import { sleep } from "../../contract/clock.ts";
import { noStreams } from "../../contract/streams.ts";
import type { Progress } from "../../define/progress.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import type { Writer, WritingCall, WritingDelivery } from "./writing-delivery.ts";

/** Pause between two reports, ms. */
const PAUSE_MS = 1_000;

export class StepProgress {
  readonly #call: WritingCall;
  readonly #delivery: WritingDelivery;
  /** The report that is not stored yet. */
  #latest: string | undefined;
  #storing: Promise<void> | undefined;
  #endPause: (() => void) | undefined;
  #hasEnded = false;

  constructor(call: WritingCall, delivery: WritingDelivery) {
    this.#call = call;
    this.#delivery = delivery;
  }

  report(value: Progress): void {
    if (this.#hasEnded) return;
    const { settings, fetched } = this.#call;
    this.#latest = encodePayload(settings.codec, value, "progress", fetched.item.name);
    this.#storing ??= this.#store();
  }

  /** step-progress.SP1 */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#endPause?.();
    await this.#storing;
  }

  async #store(): Promise<void> {
    const { settings, fetched } = this.#call;
    try {
      while (this.#latest !== undefined) {
        const value = this.#latest;
        this.#latest = undefined;
        await this.#delivery.store((writer) => this.#send(value, writer));
        if (!this.#hasEnded) await this.#pause();
      }
    } catch (error) {
      settings.logger.warn(
        { event: "progress_not_stored", instance_id: fetched.item.instance, error },
        "the progress of an activity could not be stored; the activity goes on without it",
      );
    } finally {
      this.#storing = undefined;
    }
  }

  async #send(value: string, writer: Writer): Promise<void> {
    const { settings, fetched } = this.#call;
    const { item } = fetched;
    const executionId = Number(item.execution_id);
    const { provider } = settings;
    if (provider.reportProgress === undefined) throw noStreams("reportProgress", provider.name);
    await provider.reportProgress({ instanceId: item.instance, executionId, value, writer });
  }

  #pause(): Promise<void> {
    const ends = new AbortController();
    this.#endPause = () => ends.abort();
    return sleep(this.#call.settings.clock, PAUSE_MS, ends.signal);
  }
}
