/** The warnings of a store. */
import type { Logger } from "../define/logger.ts";
import { type ObserverLog, toObserver } from "../define/observers.ts";

/** Called for events that a result cannot report, such as messages that were set aside. */
export type OnWarning = (message: string, fields?: { readonly instanceId?: string }) => void;

/** The given `onWarning`, whose calls never fail; without one, warnings go to the logger. */
export function toWarnings<Fields extends { readonly instanceId?: string }>(
  given: ((message: string, fields: Fields) => void) | undefined,
  tools: ObserverLog,
): (message: string, fields: Fields) => void {
  return given === undefined ? warningsTo(tools.logger) : toObserver("onWarning", given, tools);
}

/** An `onWarning` that writes to a logger. */
export function warningsTo(logger: Logger): OnWarning {
  return (message, { instanceId } = {}) =>
    logger.warn(
      { event: "store_warning", ...(instanceId !== undefined && { instance_id: instanceId }) },
      message,
    );
}
