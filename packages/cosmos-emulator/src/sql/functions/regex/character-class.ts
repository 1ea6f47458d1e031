/** Classes of characters: `\d`, `[a-z]`, `[[:alpha:]]`. */
import type { Matcher } from "./node.ts";

export function isWordCharacter(point: number): boolean {
  return isDigit(point) || isLetter(point) || point === 0x5f;
}

function isDigit(point: number): boolean {
  return point >= 0x30 && point <= 0x39;
}

function isLetter(point: number): boolean {
  return isBetween(point, "a", "z") || isBetween(point, "A", "Z");
}

function isBetween(point: number, low: string, high: string): boolean {
  return point >= low.charCodeAt(0) && point <= high.charCodeAt(0);
}

function isSpace(point: number): boolean {
  return point === 0x20 || (point >= 0x09 && point <= 0x0d);
}

/** The class of an escape such as `\d`; undefined if the letter names none. */
export function escapedClass(letter: string): Matcher | undefined {
  const positive: Readonly<Record<string, Matcher>> = {
    d: isDigit,
    w: isWordCharacter,
    s: isSpace,
    h: (point) => point === 0x20 || point === 0x09,
  };
  const known = Object.hasOwn(positive, letter.toLowerCase()) ? positive[letter.toLowerCase()] : undefined;
  return known === undefined || letter === letter.toLowerCase() ? known : (point) => !known(point);
}

const NAMED: Readonly<Record<string, Matcher>> = {
  alpha: isLetter,
  digit: isDigit,
  alnum: (point) => isLetter(point) || isDigit(point),
  upper: (point) => isBetween(point, "A", "Z"),
  lower: (point) => isBetween(point, "a", "z"),
  space: isSpace,
  word: isWordCharacter,
  xdigit: (point) => isDigit(point) || isBetween(point, "a", "f") || isBetween(point, "A", "F"),
  punct: (point) => point > 0x20 && point < 0x7f && !isLetter(point) && !isDigit(point),
};

/** The class of `[:name:]`. */
export function namedClass(name: string): Matcher | undefined {
  return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
}

/** One character, or its other case as well. */
export function exactly(point: number, ignoreCase: boolean): Matcher {
  return ignoreCase ? range(point, point, true) : (other) => other === point;
}

/** All from low to high, or those whose other case is among them. */
export function range(low: number, high: number, ignoreCase: boolean): Matcher {
  const within: Matcher = (point) => point >= low && point <= high;
  return ignoreCase
    ? (point) => {
        const text = String.fromCodePoint(point);
        return (
          within(point) || within(onlyPoint(text.toLowerCase())) || within(onlyPoint(text.toUpperCase()))
        );
      }
    : within;
}

/** -1 for case mappings to several characters, which no range has. */
function onlyPoint(text: string): number {
  const point = text.codePointAt(0) ?? -1;
  return text.length === String.fromCodePoint(Math.max(0, point)).length ? point : -1;
}
