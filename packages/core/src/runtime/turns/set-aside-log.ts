/** Warns of each message that did not fit its wait, once the turn is committed that has set it aside. */
import type { Logger } from "../../define/logger.ts";
import type { ObservedExecution } from "../../observe/execution.ts";
import type { SetAsideMessage } from "../../replay/code/deliveries.ts";

export function logSetAside(
  logger: Logger,
  { instanceId, executionId, name, version }: ObservedExecution,
  messages: readonly SetAsideMessage[],
): void {
  for (const { kind, name: channel, eventId, waitId, reason } of messages) {
    logger.warn(
      {
        event: "message_set_aside",
        instance_id: instanceId,
        execution_id: executionId,
        orchestration_name: name,
        orchestration_version: version,
        event_name: channel,
        event_id: Number(eventId),
        wait_id: Number(waitId),
        reason,
      },
      `a message for ${kind} ${JSON.stringify(channel)} does not fit its schema (${reason}); it is set aside, and the wait stays open. Correct its sender, and deliver it again with admin.redeliver or "duroxide redeliver"`,
    );
  }
}
