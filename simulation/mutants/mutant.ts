/** A deliberate bug: a piece of the product's source, and what stands there instead. */
export interface Mutant {
  /** What the product then does wrong. */
  readonly name: string;
  /** Below `packages`. */
  readonly file: string;
  /** Stands in the file once. */
  readonly find: string;
  readonly replace: string;
}
