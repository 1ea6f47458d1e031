/**
 * Executions whose code ran outside a turn, because it awaits something that is not durable. The next turn of such an
 * execution ends with the defect.
 *
 * - stray-executions.SX1: The instance gets a message that changes nothing. Without it, the instance would make no
 *   progress until its next message, and nothing but the log would show why.
 * - stray-executions.SX2: A defect is taken by the next turn of the instance in this process, and is dropped if that is
 *   a turn of another execution: a later execution must not fail because of it.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { StrayCode } from "../../replay/code/code-outside-turn.ts";
import { displayMessage, type ErrorDetails } from "../../wire/error-details.ts";
import type { RuntimeSettings } from "../options/options.ts";

/** The most executions that are remembered until their next turn. The oldest are evicted, and can be detected again. */
const MOST_REMEMBERED = 10_000;
/** The id of no execution: every runtime discards a message for it and records nothing. */
const NO_EXECUTION = 0;

type Settings = Pick<RuntimeSettings, "provider" | "logger">;

export class StrayExecutions {
  readonly #settings: Settings;
  readonly #found = new BoundedMap<string, StrayCode>(MOST_REMEMBERED);

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Bound to this object, because executions call it as a function. */
  readonly found = (stray: StrayCode): void => {
    const { instanceId, executionId, details, location } = stray;
    this.#settings.logger.error(
      { event: "code_outside_turn", instance_id: instanceId, execution_id: executionId, location },
      displayMessage(details),
    );
    this.#found.set(instanceId, stray);
    void this.#wake(instanceId);
  };

  /** Whether a defect of the instance is remembered for its next turn. */
  has(instanceId: string): boolean {
    return this.#found.has(instanceId);
  }

  /** Removes and returns the defect of the execution since its last turn. */
  take(instanceId: string, executionId: number): ErrorDetails | undefined {
    const stray = this.#found.get(instanceId);
    if (stray === undefined) return undefined;
    this.#found.delete(instanceId);
    return stray.executionId === executionId ? stray.details : undefined;
  }

  /** Sends a message that changes nothing. If that fails, the instance continues with its next message. */
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
