/**
 * Knows which instances failed without the test having looked at it.
 *
 * 1. A failure is unseen from its commit on until its instance is looked at: a mistake must not be found by accident.
 * 2. While a result is asked for, its instance counts as looked at: the promise has the failure.
 * 3. A child's failure is its parent's, who was told. A cancellation was asked for. Neither is reported.
 * 4. What was reported counts as looked at, so that it is reported once.
 */
import type { ErrorDetails } from "../../wire/error-details.ts";
import type { HistoryRecorder } from "./history-recorder.ts";
import { UnseenFailuresError } from "./unseen-failures-error.ts";

export class FailureWatch {
  readonly #recorder: HistoryRecorder;
  /** By instance, in the order of the failures. */
  readonly #unseen = new Map<string, ErrorDetails>();
  readonly #asked = new Map<string, number>();
  readonly #ignored = new Set<string>();
  #ignoresAll = false;

  constructor(recorder: HistoryRecorder) {
    this.#recorder = recorder;
  }

  noteFailed(instanceId: string, details: ErrorDetails): void {
    if (!isCancellation(details)) this.#unseen.set(instanceId, details);
  }

  noteSeen(instanceId: string): void {
    this.#unseen.delete(instanceId);
  }

  ignore(instanceId: string | undefined): void {
    if (instanceId === undefined) this.#ignoresAll = true;
    else this.#ignored.add(instanceId);
  }

  /** Runs `ask`, whose answer tells of a failure of the instance. */
  async asking<T>(instanceId: string, ask: () => Promise<T>): Promise<T> {
    this.#asked.set(instanceId, (this.#asked.get(instanceId) ?? 0) + 1);
    try {
      return await ask();
    } finally {
      this.#asked.set(instanceId, (this.#asked.get(instanceId) ?? 0) - 1);
    }
  }

  /** Throws UnseenFailuresError where there is something to report. */
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

function isCancellation(details: ErrorDetails): boolean {
  return "Application" in details && typeof details.Application.kind === "object";
}
