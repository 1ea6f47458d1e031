/** One small fault in the in-memory provider, as an edit of its source. */
export interface Mutant {
  /** Name of the fault, as a sentence about the provider. */
  readonly name: string;
  /** Path of the file below packages/core/src/testing/memory. */
  readonly file: string;
  /** Occurs exactly once in the file, so that a change of the provider cannot make the mutant harmless unseen. */
  readonly find: string;
  readonly replace: string;
}
