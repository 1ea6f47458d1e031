/** A branch of orchestration code that can be stopped as a whole: the root, or a function given to `race`. */

export class Scope {
  readonly #parent: Scope | undefined;
  #stopped = false;
  /** What the code holds instead of the calls that are made here on its behalf. */
  result: { readonly observed: boolean } | undefined;

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  /** Calls in a stopped scope record nothing and never settle. */
  get stopped(): boolean {
    return this.#stopped || (this.#parent?.stopped ?? false);
  }

  /** Whether somebody asks for the result of what runs here. */
  get awaited(): boolean {
    return (this.result?.observed ?? true) && (this.#parent?.awaited ?? true);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Whether it was stopped as a branch, and not with the whole. */
  get lost(): boolean {
    return this.#parent !== undefined && (this.#stopped || this.#parent.lost);
  }

  within(scope: Scope): boolean {
    return this === scope || (this.#parent?.within(scope) ?? false);
  }
}
