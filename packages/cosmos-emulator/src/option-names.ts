/** Refuses options that do not exist, with the nearest one that does. The endpoint stands on no package of ours. */

/** Throws a TypeError for what is no object, and for the first name that is not among the known ones. */
export function checkOptionNames(options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`The options must be an object with ${known.join(", ")}; or leave them out.`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = known.find((name) => isNear(unknown.toLowerCase(), name.toLowerCase()));
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw new TypeError(`There is no option "${unknown}".${hint} The options are ${known.join(", ")}.`);
}

/** Tells whether one text becomes the other by at most two characters more, fewer or other in one place. */
function isNear(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2;
}
