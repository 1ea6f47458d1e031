/** The contents of brackets, and escapes of single characters. */
import { escapedClass, namedClass, range } from "./character-class.ts";
import { type Matcher, RegexError } from "./node.ts";
import type { PatternReader } from "./pattern-reader.ts";

/** Reads `…]`, the opening bracket being taken. */
export function parseBracket(reader: PatternReader, ignoreCase: boolean): Matcher {
  const negated = reader.take("^");
  const members: Matcher[] = [];
  // A bracket right after the opening one is a character.
  while (members.length === 0 || !reader.is("]")) {
    if (reader.done) throw new RegexError("a bracket is not closed");
    members.push(parseMember(reader, ignoreCase));
  }
  reader.next();
  return (point) => members.some((member) => member(point)) !== negated;
}

function parseMember(reader: PatternReader, ignoreCase: boolean): Matcher {
  const [, name] = reader.takeMatch(/\[:(\w+):\]/y) ?? [];
  const known = name === undefined ? undefined : namedClass(name);
  if (known !== undefined) return known;
  if (reader.take("\\")) {
    const matches = escapedClass(reader.peek());
    if (matches !== undefined) {
      reader.next();
      return matches;
    }
    return parseRange(reader, parseEscapedPoint(reader), ignoreCase);
  }
  return parseRange(reader, pointOf(reader.next()), ignoreCase);
}

function parseRange(reader: PatternReader, low: number, ignoreCase: boolean): Matcher {
  if (reader.takeMatch(/-(?!\])/y) === undefined) return range(low, low, ignoreCase);
  const high = reader.take("\\") ? parseEscapedPoint(reader) : pointOf(reader.next());
  if (high < low) throw new RegexError("a range in brackets is out of order");
  return range(low, high, ignoreCase);
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, e: 27, a: 7, "0": 0 };

/** The character of an escape, the backslash being taken. */
export function parseEscapedPoint(reader: PatternReader): number {
  const [, short, long] = reader.takeMatch(/x([0-9a-fA-F]{2})|[xu]\{?([0-9a-fA-F]{4,6})\}?/y) ?? [];
  const hex = short ?? long;
  if (hex !== undefined) {
    const point = Number.parseInt(hex, 16);
    if (point > 0x10ffff) throw new RegexError("an escaped character is beyond Unicode");
    return point;
  }
  const letter = reader.next();
  if (Object.hasOwn(CONTROLS, letter)) return CONTROLS[letter] ?? 0;
  if (letter === "" || /[A-Za-z]/.test(letter)) {
    throw new RegexError(`the escape \\${letter} is not supported`);
  }
  return pointOf(letter);
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
