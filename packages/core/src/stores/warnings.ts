/** The warnings of a store. */
import type { Logger } from "../define/logger.ts";

/** Called for events that a result cannot report, such as messages that were set aside. */
export type OnWarning = (message: string, fields?: { readonly instanceId?: string }) => void;

/** An `onWarning` that writes to a logger. */
export function warningsTo(logger: Logger): OnWarning {
  return (message, { instanceId } = {}) =>
    logger.warn(
      { event: "store_warning", ...(instanceId !== undefined && { instance_id: instanceId }) },
      message,
    );
}
