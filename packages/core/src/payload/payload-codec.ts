/**
 * Encodes inputs, results and other user values as the opaque texts that are stored. A codec is synchronous. The
 * runtimes and clients of a store must use the same codec, because stored texts do not name the codec that wrote them.
 * Runtime and client test it with a few values and reject a codec that does not decode what it encoded.
 */
export interface PayloadCodec {
  /** Name for messages and logs, such as "json". */
  readonly name: string;
  /**
   * The text may differ from call to call: replay compares decoded values if texts differ. Equal texts are faster.
   * Throws a PayloadError for a value that it cannot encode; nothing is stored then.
   */
  encode(value: unknown): string;
  /** Never throws for texts of `encode`; may throw for others. */
  decode(text: string): unknown;
  /**
   * Returns the same codec, if it compresses, with a limit in bytes of what it compresses and unpacks, because its
   * texts alone do not show that. Runtime and client give their `maxPayloadBytes`.
   */
  within?(maxBytes: number): PayloadCodec;
}
