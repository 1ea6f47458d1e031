/**
 * How inputs, results and other user values become the opaque texts that are stored. A codec is synchronous, and chosen
 * once for a runtime and the clients that talk to it; stored texts do not say which codec wrote them. Runtime and client
 * try it with a few values and refuse one that does not give them back.
 */
export interface PayloadCodec {
  /** For messages and logs, such as "json". */
  readonly name: string;
  /**
   * The text may differ from call to call: replay compares values where texts differ. Equal texts spare it that. Throws a
   * PayloadError for a value that it cannot keep; nothing is stored then.
   */
  encode(value: unknown): string;
  /** Total for texts of its own; may throw for others. */
  decode(text: string): unknown;
}
