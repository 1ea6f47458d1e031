/** The one wording for an instance or execution that is not there. */
import { ProviderError } from "@duroxide-ts/core";

export function notFound(operation: string, instanceId: string, executionId?: number): ProviderError {
  const what = `instance ${JSON.stringify(instanceId)}`;
  return new ProviderError({
    code: "instance-not-found",
    operation,
    message:
      executionId === undefined ? `${what} not found` : `execution ${executionId} of ${what} not found`,
  });
}
