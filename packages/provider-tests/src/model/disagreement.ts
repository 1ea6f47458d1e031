/** The store violated the contract. */
export class Disagreement extends Error {
  override readonly name = "Disagreement";
  /** Source text that shows it; scope.ts says in which scope. */
  readonly script: readonly string[];
  readonly wanted: string;

  constructor(script: readonly string[], wanted: string) {
    super(`the contract allows: ${wanted}\n${script.join("\n")}`);
    this.script = script;
    this.wanted = wanted;
  }
}
