/**
 * A branch of orchestration code that can be stopped as a whole: the root, or a function given to `race` or `all`.
 *
 * - scope.S1: A stopped scope stays stopped, and so do the scopes in it. Its code may still run to its next `await`,
 *   but its calls record nothing and never settle.
 */

export class Scope {
  readonly #parent: Scope | undefined;
  #stopped = false;
  #abandoned = false;
  /** The task that stands for all calls of this scope, for a call with retries: the code holds only this task. */
  result: { readonly observed: boolean } | undefined;

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  /** Calls in a stopped scope record nothing and never settle. */
  get stopped(): boolean {
    return this.#stopped || (this.#parent?.stopped ?? false);
  }

  /** Whether the code awaits the result of this scope. */
  get awaited(): boolean {
    return (this.result?.observed ?? true) && (this.#parent?.awaited ?? true);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Stops the root of code that is cancelled, and that other code of the execution follows. */
  abandon(): void {
    this.#stopped = true;
    this.#abandoned = true;
  }

  /** Whether the scope was stopped as a branch, and not with the root of the whole execution. */
  get lost(): boolean {
    if (this.#abandoned) return true;
    return this.#parent !== undefined && (this.#stopped || this.#parent.lost);
  }

  within(scope: Scope): boolean {
    return this === scope || (this.#parent?.within(scope) ?? false);
  }
}
