/** A logger that remembers. */
import type { LogFields, Logger } from "@duroxide-ts/core";

export interface LogEntry {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields;
}

export class RecordingLogger implements Logger {
  readonly entries: LogEntry[] = [];
  readonly debug = this.#at("debug");
  readonly info = this.#at("info");
  readonly warn = this.#at("warn");
  readonly error = this.#at("error");

  /** The messages of one level, in order. */
  messages(level: keyof Logger): readonly string[] {
    return this.entries.filter((entry) => entry.level === level).map(({ message }) => message);
  }

  /** The entries of one kind, in order. */
  of(event: string): readonly LogEntry[] {
    return this.entries.filter(({ fields }) => fields["event"] === event);
  }

  #at(level: keyof Logger): (fields: LogFields, message: string) => void {
    return (fields, message) => void this.entries.push({ level, message, fields });
  }
}
