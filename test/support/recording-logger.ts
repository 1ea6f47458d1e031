/** A logger that remembers. */
import type { LogFields, Logger } from "@duroxide-ts/core";

export interface LogEntry {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields;
}

export class RecordingLogger implements Logger {
  readonly entries: LogEntry[] = [];

  debug(fields: LogFields, message: string): void {
    this.entries.push({ level: "debug", message, fields });
  }

  info(fields: LogFields, message: string): void {
    this.entries.push({ level: "info", message, fields });
  }

  warn(fields: LogFields, message: string): void {
    this.entries.push({ level: "warn", message, fields });
  }

  error(fields: LogFields, message: string): void {
    this.entries.push({ level: "error", message, fields });
  }

  /** The messages of one level, in order. */
  messages(level: keyof Logger): readonly string[] {
    return this.entries.filter((entry) => entry.level === level).map(({ message }) => message);
  }
}
