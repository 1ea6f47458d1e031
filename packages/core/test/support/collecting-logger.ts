/** A logger that remembers its entries. */
import type { LogFields, Logger } from "../../src/define/logger.ts";

export interface CollectedEntry {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields;
}

export class CollectingLogger implements Logger {
  readonly entries: CollectedEntry[] = [];
  readonly debug = this.#at("debug");
  readonly info = this.#at("info");
  readonly warn = this.#at("warn");
  readonly error = this.#at("error");

  /** The entries of one kind, in order. */
  of(event: string): readonly CollectedEntry[] {
    return this.entries.filter(({ fields }) => fields["event"] === event);
  }

  #at(level: keyof Logger): (fields: LogFields, message: string) => void {
    return (fields, message) => void this.entries.push({ level, message, fields });
  }
}
