/**
 * Executions whose code went on although no turn was running: it waits for something that is not durable. Such an
 * instance would stand still until its next message, so it is woken, and its next turn ends with what was found.
 */

import { BoundedMap } from "../collections/bounded-map.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { StrayCode } from "../replay/code/stray-code.ts";
import { displayMessage, type ErrorDetails } from "../wire/error-details.ts";
import type { RuntimeSettings } from "./options.ts";

/** Executions that are remembered until their next turn; the oldest are forgotten, and found again. */
const MOST_REMEMBERED = 10_000;
/** Of no execution, so every runtime drops a message for it without a trace in the history. */
const NO_EXECUTION = 0;

export class StrayExecutions {
  readonly #settings: RuntimeSettings;
  readonly #found = new BoundedMap<string, StrayCode>(MOST_REMEMBERED);

  constructor(settings: RuntimeSettings) {
    this.#settings = settings;
  }

  /** Handed to executions as it is. */
  readonly found = (stray: StrayCode): void => {
    const { instanceId, executionId, details, location } = stray;
    this.#settings.logger.error(
      { event: "code_outside_turn", instance_id: instanceId, execution_id: executionId, location },
      displayMessage(details),
    );
    this.#found.set(instanceId, stray);
    void this.#wake(instanceId);
  };

  /** Whether something was found of the instance, for its next turn. */
  has(instanceId: string): boolean {
    return this.#found.has(instanceId);
  }

  /** What was found of the execution since its last turn. */
  take(instanceId: string, executionId: number): ErrorDetails | undefined {
    const stray = this.#found.get(instanceId);
    if (stray === undefined) return undefined;
    this.#found.delete(instanceId);
    return stray.executionId === executionId ? stray.details : undefined;
  }

  /** By a message that changes nothing. Where it cannot be sent the instance goes on with its next message. */
  async #wake(instance: string): Promise<void> {
    const { provider, logger } = this.#settings;
    try {
      const message = {
        kind: "TimerFired",
        instance,
        execution_id: NO_EXECUTION,
        id: 0,
        fire_at_ms: 0,
      } as const;
      await provider.enqueueForOrchestrator(message);
    } catch (error) {
      if (!ProviderError.is(error)) throw error;
      logger.debug(
        { event: "instance_not_woken", instance_id: instance, error },
        "an instance was not woken",
      );
    }
  }
}
