/** "Did you mean": the known name that a misspelt one probably stands for. */

/** `undefined` where no known name is near. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const lower = given.toLowerCase();
  let nearest: string | undefined;
  let least = Math.ceil(given.length / 3) + 1;
  let containing: string | undefined;
  for (const name of known) {
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < least) {
      nearest = name;
      least = distance;
    }
    if (lower.length > 1 && name.toLowerCase().endsWith(lower)) containing ??= name;
  }
  return nearest ?? containing;
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

/** A question in brackets for a message about an unknown name; empty where no known name is near. */
export function meant(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : ` (did you mean ${JSON.stringify(nearest)}?)`;
}
