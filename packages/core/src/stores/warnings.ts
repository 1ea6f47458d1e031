/** Where a store's warnings go. */
import type { Logger } from "../define/logger.ts";

/** Told of what a store cannot say in a result, such as messages that were set aside. */
export type OnWarning = (message: string, fields?: { readonly instanceId?: string }) => void;

/** An `onWarning` that writes to a logger. */
export function warningsTo(logger: Logger): OnWarning {
  return (message, { instanceId } = {}) =>
    logger.warn(
      { event: "store_warning", ...(instanceId !== undefined && { instance_id: instanceId }) },
      message,
    );
}
