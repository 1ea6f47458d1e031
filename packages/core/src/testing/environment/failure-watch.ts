/**
 * Records which instances failed without the test having read the failure.
 *
 * - failure-watch.FW1: A failure is unseen from its commit until the test reads the instance, because a test must not
 *   miss a failure.
 * - failure-watch.FW2: While `result()` is pending, its instance counts as read, because the promise rejects with the
 *   failure.
 * - failure-watch.FW3: A child's failure is not reported, because the parent gets it; nor is a cancellation, because it
 *   was requested.
 * - failure-watch.FW4: A reported failure counts as read, so that it is reported once.
 */
import { cancellationOf, type ErrorDetails } from "../../wire/error-details.ts";
import type { HistoryRecorder } from "./history-recorder.ts";
import { UnseenFailuresError } from "./unseen-failures-error.ts";

export class FailureWatch {
  readonly #recorder: HistoryRecorder;
  /** Failures by instance, in their order. */
  readonly #unseen = new Map<string, ErrorDetails>();
  readonly #asked = new Map<string, number>();
  readonly #ignored = new Set<string>();
  #ignoresAll = false;

  constructor(recorder: HistoryRecorder) {
    this.#recorder = recorder;
  }

  noteFailed(instanceId: string, details: ErrorDetails): void {
    if (cancellationOf(details) === undefined) this.#unseen.set(instanceId, details);
  }

  noteSeen(instanceId: string): void {
    this.#unseen.delete(instanceId);
  }

  ignore(instanceId: string | undefined): void {
    if (instanceId === undefined) this.#ignoresAll = true;
    else this.#ignored.add(instanceId);
  }

  /** Runs `ask`, whose result shows a failure of the instance. */
  async asking<T>(instanceId: string, ask: () => Promise<T>): Promise<T> {
    this.#asked.set(instanceId, (this.#asked.get(instanceId) ?? 0) + 1);
    try {
      return await ask();
    } finally {
      this.#asked.set(instanceId, (this.#asked.get(instanceId) ?? 0) - 1);
    }
  }

  /** Throws UnseenFailuresError if there are unseen failures. */
  report(): void {
    const failures = [...this.#unseen]
      .filter(([instanceId]) => this.#isReported(instanceId))
      .map(([instanceId, details]) => ({
        instanceId,
        orchestrationName: this.#recorder.startOf(instanceId)?.name ?? "instance",
        details,
      }));
    for (const { instanceId } of failures) this.#unseen.delete(instanceId);
    if (failures.length > 0) throw new UnseenFailuresError(failures);
  }

  #isReported(instanceId: string): boolean {
    if (this.#ignoresAll || this.#ignored.has(instanceId)) return false;
    if ((this.#asked.get(instanceId) ?? 0) > 0) return false;
    return (this.#recorder.startOf(instanceId)?.parent_instance ?? undefined) === undefined;
  }
}
