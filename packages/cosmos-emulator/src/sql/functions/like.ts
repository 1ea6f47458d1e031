/** LIKE: `%` any text, `_` one character, `[a-z]` and `[^a-z]` one of a set; the escape makes any of them plain. */

type Matcher = "any" | ((character: string) => boolean);

/** Tells whether the text matches. Time is bounded by the product of both lengths. */
export function isLike(text: string, pattern: string, escaping: string | undefined): boolean {
  const characters = Array.from(text);
  const matchers = parsePattern(Array.from(pattern), escaping);
  let at = 0;
  let next = 0;
  let retry: { at: number; next: number } | undefined;
  while (at < characters.length) {
    const matcher = matchers[next];
    if (matcher === "any") {
      next += 1;
      retry = { at, next };
    } else if (matcher?.(characters[at] ?? "")) {
      at += 1;
      next += 1;
    } else if (retry !== undefined) {
      // The last `%` takes one character more.
      retry = { at: retry.at + 1, next: retry.next };
      at = retry.at;
      next = retry.next;
    } else {
      return false;
    }
  }
  return matchers.slice(next).every((matcher) => matcher === "any");
}

function parsePattern(pattern: readonly string[], escaping: string | undefined): readonly Matcher[] {
  const matchers: Matcher[] = [];
  let at = 0;
  while (at < pattern.length) {
    const character = pattern[at] ?? "";
    const set = character === "[" ? parseSet(pattern, at) : undefined;
    if (character === escaping && at + 1 < pattern.length) {
      matchers.push(exactly(pattern[at + 1] ?? ""));
      at += 2;
    } else if (set !== undefined) {
      matchers.push(set.matcher);
      at = set.end;
    } else {
      matchers.push(character === "%" ? "any" : character === "_" ? () => true : exactly(character));
      at += 1;
    }
  }
  return matchers;
}

function exactly(wanted: string): (character: string) => boolean {
  return (character) => character === wanted;
}

/** Parses a set from `[` to the next `]`; an open bracket without a close is a character like any other. */
function parseSet(pattern: readonly string[], start: number): { matcher: Matcher; end: number } | undefined {
  const end = pattern.indexOf("]", start + 1);
  if (end === -1) return undefined;
  const negated = pattern[start + 1] === "^";
  const members = pattern.slice(start + (negated ? 2 : 1), end);
  return { matcher: (character) => isMember(character, members) !== negated, end: end + 1 };
}

function isMember(character: string, members: readonly string[]): boolean {
  for (let at = 0; at < members.length; at += 1) {
    const low = members[at] ?? "";
    const high = members[at + 1] === "-" ? members[at + 2] : undefined;
    if (high !== undefined) {
      if (character >= low && character <= high) return true;
      at += 2;
    } else if (character === low) {
      return true;
    }
  }
  return false;
}
