/** A deliberate bug: a piece of the product's source, and what stands there instead. */
export interface Mutant extends Edit {
  /** The fault of the changed product, as a sentence. */
  readonly name: string;
  /** Further edits, where another part of the product makes the first one harmless. */
  readonly also?: readonly Edit[];
}

export interface Edit {
  /** Path below `packages`. */
  readonly file: string;
  /** Stands in the file once. */
  readonly find: string;
  readonly replace: string;
}

export function editsOf(mutant: Mutant): readonly Edit[] {
  return [mutant, ...(mutant.also ?? [])];
}

export function named(faults: Readonly<Record<string, Omit<Mutant, "name">>>): readonly Mutant[] {
  return Object.entries(faults).map(([name, fault]) => ({ name, ...fault }));
}
