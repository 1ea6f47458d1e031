/** Tells about orchestration code that went on outside its turns. */
import type { Logger } from "../define/logger.ts";
import { inBrackets } from "../errors/source-location.ts";
import type { StrayCode } from "../replay/stray-code.ts";
import { displayMessage } from "../wire/error-details.ts";

export function logStrayCode(
  logger: Logger,
  { instanceId, executionId, details, location }: StrayCode,
): void {
  logger.error(
    { event: "code_outside_turn", instance_id: instanceId, execution_id: executionId, location },
    `${displayMessage(details)}${inBrackets(location)}`,
  );
}
