/** The characters of an output that a terminal would obey. Line ends are those of the output itself. */

/** The characters that must not be there, as escapes. */
export function obeyed(output: string): string[] {
  const unsafe = [...output].filter(
    (character) =>
      character !== "\n" &&
      /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066\u2067]/u.test(character),
  );
  return unsafe.map((character) => `\\u${(character.codePointAt(0) ?? 0).toString(16)}`);
}
