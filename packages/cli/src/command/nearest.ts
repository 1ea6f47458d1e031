/** "Did you mean", without loading the engine: a mistyped verb is to be answered at once. */

/** The known name that needs the fewest edits; `undefined` where none is near. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  let found: string | undefined;
  let least = Math.ceil(given.length / 3) + 1;
  for (const name of known) {
    const edits = editsBetween(given, name);
    if (edits >= least) continue;
    least = edits;
    found = name;
  }
  return found ?? known.find((name) => given.length > 1 && name.startsWith(given));
}

function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
