/** One statement of docs/reference/cosmos-protocol.md that an endpoint can keep or break. */
export interface Row {
  /**
   * Source of the reference: SVC (recorded on the service), DOC (documented), ISS (reported), SDK or RUN (what the
   * SDK needs).
   */
  readonly mark: string;
  /** Words of the line that says so, as they stand there. */
  readonly quote: string;
  /** Reason why no check covers it, where none does. */
  readonly unchecked?: string;
}

export function row(mark: string, quote: string): Row {
  return { mark, quote };
}

export function unchecked(mark: string, quote: string, reason: string): Row {
  return { mark, quote, unchecked: reason };
}
