/**
 * What a program has started that does not answer it, under ids that each of its executions draws anew. A client that has
 * read the result of an execution knows that these instances run, whatever happens to the program afterwards.
 */

/** The result of such a step. */
export interface Detached {
  readonly detached: string;
}

/** The ids in a result. */
export function detachedIn(result: unknown): readonly string[] {
  if (typeof result !== "object" || result === null) return [];
  const { detached } = result as Partial<Detached>;
  return typeof detached === "string" ? [detached] : Object.values(result).flatMap(detachedIn);
}
