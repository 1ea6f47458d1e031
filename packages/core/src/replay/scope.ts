/** A branch of orchestration code that can be stopped as a whole: the root, or a function given to `race`. */

export class Scope {
  readonly #parent: Scope | undefined;
  #stopped = false;

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  /** Calls in a stopped scope record nothing and never settle. */
  get stopped(): boolean {
    return this.#stopped || (this.#parent?.stopped ?? false);
  }

  stop(): void {
    this.#stopped = true;
  }

  within(scope: Scope): boolean {
    return this === scope || (this.#parent?.within(scope) ?? false);
  }
}
