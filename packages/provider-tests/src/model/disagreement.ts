/** The store under test and the reference gave different answers. */
export class Disagreement extends Error {
  override readonly name = "Disagreement";
  /** Source text that shows it; scope.ts says in which scope. */
  readonly script: readonly string[];
  readonly wanted: string;

  constructor(script: readonly string[], wanted: string) {
    super(`the reference answers: ${wanted}\n${script.join("\n")}`);
    this.script = script;
    this.wanted = wanted;
  }
}
