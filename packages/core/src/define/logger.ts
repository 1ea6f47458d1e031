/** Structured logging: a message with fields. A pino logger satisfies this interface. */

/** The fields of an entry. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where log entries go. A pino logger fits. */
export interface Logger {
  /** For developers. */
  debug(fields: LogFields, message: string): void;
  /** Something happened. */
  info(fields: LogFields, message: string): void;
  /** Something may need attention. */
  warn(fields: LogFields, message: string): void;
  /** Something needs attention. */
  error(fields: LogFields, message: string): void;
}

const ignore = (): void => {};

/** Writes nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Adds `fields` to every entry. */
export function withFields(logger: Logger, fields: LogFields): Logger {
  return {
    debug: (more, message) => logger.debug({ ...fields, ...more }, message),
    info: (more, message) => logger.info({ ...fields, ...more }, message),
    warn: (more, message) => logger.warn({ ...fields, ...more }, message),
    error: (more, message) => logger.error({ ...fields, ...more }, message),
  };
}
