/**
 * How inputs, results and other user values become the opaque texts that are stored. A codec is chosen once
 * for a runtime and the clients that talk to it; stored texts do not say which codec wrote them.
 */
export interface PayloadCodec {
  /** For messages and logs, such as "json". */
  readonly name: string;
  /**
   * Must be deterministic: replay compares the text of a call with the text that history holds. Throws a
   * PayloadError for a value that it cannot keep; nothing is stored then.
   */
  encode(value: unknown): string;
  /** Total for texts of its own; may throw for others. */
  decode(text: string): unknown;
}
