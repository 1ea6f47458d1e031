/** Instances failed, and the test did not read the failures. The message has each with orchestration and stack. */
import { OrchestrationFailedError } from "../../errors/duroxide-error.ts";
import { failureStack } from "../../errors/failure-details.ts";
import { displayMessage, type ErrorDetails } from "../../wire/error-details.ts";

export interface UnseenFailure {
  readonly instanceId: string;
  readonly orchestrationName: string;
  readonly details: ErrorDetails;
}

/** Instances failed, and the test did not read the failures; the message has each failure with its stack. */
export class UnseenFailuresError extends AggregateError {
  override readonly name = "UnseenFailuresError";
  /** One for each instance, in the order in which they failed. */
  declare readonly errors: OrchestrationFailedError[];

  constructor(failures: readonly UnseenFailure[]) {
    const count = failures.length === 1 ? "1 instance" : `${failures.length} instances`;
    super(
      failures.map(({ instanceId, details }) => new OrchestrationFailedError(instanceId, details)),
      [`${count} failed, and the test did not read the failure:`, ...failures.map(entry), WHAT_TO_DO].join(
        "\n",
      ),
    );
  }
}

const WHAT_TO_DO =
  "Read a failure with run.status() or run.result() before the clock is advanced again, or expect it with env.ignoreFailures(run).";

function entry({ instanceId, orchestrationName, details }: UnseenFailure): string {
  const stack = failureStack(details);
  const below = stack === undefined ? "" : `\n${stack.replaceAll(/^/gm, "      ")}`;
  return `  - ${orchestrationName} ${JSON.stringify(instanceId)}: ${displayMessage(details)}${below}`;
}
