/**
 * The observers of the work that the user gives, as the work calls them: each is made once where it is given, so that
 * nothing behind it has to expect an error (docs/decisions/observers.md). A failure of a logger goes to stderr; all
 * others go to the logger.
 */
import type { Clock } from "../contract/clock.ts";
import { thrownText } from "../errors/thrown-value.ts";
import { ObserverCalls } from "../guard/observer-calls.ts";
import { type Logger, SAFE_LOGGERS } from "./logger.ts";
import { stderrLogger } from "./stderr-logger.ts";

/** The given logger, whose calls never fail; without one, warnings and errors go to stderr. */
export function toLogger(given: Logger | undefined, clock: Clock): Logger {
  if (given === undefined) return stderrLogger({ clock });
  const known = SAFE_LOGGERS.get(given);
  if (known !== undefined) return known;
  const calls = observerCalls("logger", { clock, logger: stderrLogger({ clock }) });
  const safe: Logger = {
    debug: (fields, message) => void calls.call(() => given.debug(fields, message)),
    info: (fields, message) => void calls.call(() => given.info(fields, message)),
    warn: (fields, message) => void calls.call(() => given.warn(fields, message)),
    error: (fields, message) => void calls.call(() => given.error(fields, message)),
  };
  SAFE_LOGGERS.set(given, safe).set(safe, safe);
  return safe;
}

/** The clock and the logger with which a failure of an observer is reported. */
export interface ObserverLog {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The given callback, whose calls never fail; without one, nothing is called. `name` is that of its option. */
export function toObserver<Args extends readonly unknown[]>(
  name: string,
  given: ((...args: Args) => unknown) | undefined,
  tools: ObserverLog,
): (...args: Args) => void {
  if (given === undefined) return () => {};
  const calls = observerCalls(name, tools);
  return (...args) => void calls.call(() => given(...args));
}

/** The calls of an observer that has several methods. */
export function observerCalls(name: string, { clock, logger }: ObserverLog): ObserverCalls {
  return new ObserverCalls(clock, (error, failures) =>
    logger.warn(
      { event: "observer_failed", observer: name, failures, error },
      `${name} failed, and the work goes on without it: ${thrownText(error)}`,
    ),
  );
}
