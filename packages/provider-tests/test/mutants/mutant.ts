/** A piece of the source, and what stands there instead. */
export interface Edit {
  /** Occurs exactly once in the file, so that a change of the provider cannot make the mutant harmless unseen. */
  readonly find: string;
  readonly replace: string;
}

/** One small fault in the in-memory provider, as an edit of its source. */
export interface Mutant extends Edit {
  /** Name of the fault, as a sentence about the provider. */
  readonly name: string;
  /** Path of the file below packages/core/src/testing/memory. */
  readonly file: string;
}

/** The mutants of one file, by name. */
export function mutantsIn(file: string, edits: Readonly<Record<string, Edit>>): readonly Mutant[] {
  return Object.entries(edits).map(([name, edit]) => ({ name, file, ...edit }));
}
