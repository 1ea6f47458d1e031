/**
 * - overtaking.O1: A message whose client has its answer before an activity ends comes before the outcome of that
 *   activity, whichever process took them, and whether the turn was fused or not (docs/reference/provider-contract.md
 *   §10.2).
 *
 * Only where the store orders by one clock: on SQLite, while no clock is wrong. Of programs that operators change nothing is
 * said, because they are sent messages again.
 */
import type { HistoryEvent } from "@duroxide-ts/core";

export class Overtaking {
  /** Messages by instance, as history has them, each with the step after which it was accepted. */
  readonly #accepted = new Map<string, Map<string, number>>();
  /** Steps of the first end of a run, by attempt of an activity. */
  readonly #endedAt = new Map<string, number>();
  readonly #step: () => number;

  constructor(step: () => number) {
    this.#step = step;
  }

  accepted(instanceId: string, queue: string, value: string): void {
    const messages = this.#accepted.get(instanceId) ?? new Map<string, number>();
    this.#accepted.set(instanceId, messages);
    const message = `${queue} ${JSON.stringify(value)}`;
    if (!messages.has(message)) messages.set(message, this.#step());
  }

  /** `key` is instance, execution and event. */
  ended(key: string): void {
    if (!this.#endedAt.has(key)) this.#endedAt.set(key, this.#step());
  }

  /** Returns the violations in histories by `<instance>#<execution>`. */
  violations(histories: ReadonlyMap<string, readonly HistoryEvent[]>): readonly string[] {
    return [...this.#accepted].flatMap(([instanceId, accepted]) => {
      const keys = [...histories.keys()].filter((key) => key.startsWith(`${instanceId}#`));
      return this.#inOrder(
        keys.flatMap((key) => histories.get(key) ?? []),
        accepted,
      );
    });
  }

  #inOrder(events: readonly HistoryEvent[], accepted: ReadonlyMap<string, number>): readonly string[] {
    const violations: string[] = [];
    /** The latest end of an activity whose outcome was received already. */
    let latest = { step: Number.NEGATIVE_INFINITY, name: "" };
    const seen = new Set<string>();
    for (const event of events) {
      const { type, instance_id: instanceId, execution_id: executionId, source_event_id: source } = event;
      if (type === "ActivityCompleted" || type === "ActivityFailed") {
        const name = `${instanceId}:${executionId}:${source}`;
        const step = this.#endedAt.get(name) ?? Number.NEGATIVE_INFINITY;
        if (step > latest.step) latest = { step, name };
      }
      if (type !== "ExternalEventPersistent") continue;
      const message = `${event.name} ${event.data}`;
      const step = accepted.get(message);
      // A continue-as-new repeats what it carries.
      if (step === undefined || seen.has(message)) continue;
      seen.add(message);
      if (step < latest.step) violations.push(`${instanceId}: activity ${latest.name} overtook ${message}`);
    }
    return violations;
  }
}
