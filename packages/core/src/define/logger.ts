/** Structured logging: a message with fields. A pino logger satisfies this interface. */

/** The fields of an entry. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Destination of log entries. A pino logger fits. */
export interface Logger {
  /** Writes an entry for developers. */
  debug(fields: LogFields, message: string): void;
  /** Something happened. */
  info(fields: LogFields, message: string): void;
  /** Something may need attention. */
  warn(fields: LogFields, message: string): void;
  /** Something needs attention. */
  error(fields: LogFields, message: string): void;
}

/** Writes an entry: a message, with its fields before it if there are some, as in pino. */
export interface WriteEntry {
  (message: string): void;
  (fields: LogFields, message: string): void;
}

/** The log of a handler. Its entries carry the identity of the instance. */
export interface ContextLog {
  /** Writes an entry for developers. */
  readonly debug: WriteEntry;
  /** Something happened. */
  readonly info: WriteEntry;
  /** Something may need attention. */
  readonly warn: WriteEntry;
  /** Something needs attention. */
  readonly error: WriteEntry;
}

type WriteLevel = (level: keyof Logger, fields: LogFields, message: string) => void;

/** The log of a handler. A text without fields, and fields without a text, are entries too. */
export function contextLog(write: WriteLevel): ContextLog {
  const entry =
    (level: keyof Logger): WriteEntry =>
    (first: string | LogFields, message?: string) =>
      typeof first === "string" ? write(level, {}, first) : write(level, first, message ?? "");
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}

/** The method of a level that is not written, so that nobody need make the fields. */
export const ignoreEntry = (): void => {};

/** Writes nothing. */
export const silentLogger: Logger = {
  debug: ignoreEntry,
  info: ignoreEntry,
  warn: ignoreEntry,
  error: ignoreEntry,
};

/** The loggers that are called in place of the given ones, by the given one; their calls never fail (observers.ts). */
export const SAFE_LOGGERS: WeakMap<Logger, Logger> = new WeakMap([[silentLogger, silentLogger]]);

/** A safe logger that writes each entry by `within`, which calls `write` once. */
export function loggerWithin(logger: Logger, within: (fields: LogFields, write: () => void) => void): Logger {
  const traced: Logger = {
    debug: (fields, message) => within(fields, () => logger.debug(fields, message)),
    info: (fields, message) => within(fields, () => logger.info(fields, message)),
    warn: (fields, message) => within(fields, () => logger.warn(fields, message)),
    error: (fields, message) => within(fields, () => logger.error(fields, message)),
  };
  SAFE_LOGGERS.set(traced, traced);
  return traced;
}

/** All fields; without those of the caller if reading them throws, because a log entry must not fail the code. */
export function joined(fields: LogFields, more: LogFields | undefined): LogFields {
  try {
    return { ...fields, ...more };
  } catch {
    return { ...fields, unreadable_fields: true };
  }
}
