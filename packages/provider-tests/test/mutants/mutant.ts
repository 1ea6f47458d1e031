/** One small fault in the in-memory provider, as an edit of its source. */
export interface Mutant {
  /** What the provider does wrong. */
  readonly name: string;
  /** Below packages/core/src/testing/memory. */
  readonly file: string;
  /** Occurs exactly once in the file, so that a change of the provider cannot make the mutant harmless unseen. */
  readonly find: string;
  readonly replace: string;
}
