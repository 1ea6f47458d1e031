/**
 * From a Perl-style pattern to its tree: characters, classes, groups, alternatives, anchors, quantifiers. No
 * back-references and no look-around, which cannot be matched in bounded time.
 */
import { escapedClass, exactly, isWordCharacter } from "./character-class.ts";
import { type Anchor, type Matcher, RegexError, type RegexFlags, type RegexNode } from "./node.ts";
import { parseBracket, parseEscapedPoint } from "./parse-bracket.ts";
import { PatternReader } from "./pattern-reader.ts";

const MAX_GROUP_DEPTH = 50;
const MAX_REPEAT = 1000;

/** Throws RegexError. */
export function parseRegex(pattern: string, flags: RegexFlags): RegexNode {
  const reader = new PatternReader(pattern);
  const node = parseChoice(reader, flags, 0);
  if (!reader.done) throw new RegexError("it has a closing parenthesis too many");
  return node;
}

function parseChoice(reader: PatternReader, flags: RegexFlags, depth: number): RegexNode {
  if (depth > MAX_GROUP_DEPTH) {
    throw new RegexError(`its groups are nested deeper than ${MAX_GROUP_DEPTH} levels`);
  }
  const nodes = [parseSequence(reader, flags, depth)];
  while (reader.take("|")) nodes.push(parseSequence(reader, flags, depth));
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { kind: "choice", nodes };
}

function parseSequence(reader: PatternReader, flags: RegexFlags, depth: number): RegexNode {
  const nodes: RegexNode[] = [];
  for (;;) {
    if (flags.extended) reader.skipBlanks();
    if (reader.done || reader.is("|") || reader.is(")")) {
      return { kind: "sequence", nodes };
    }
    const atom = parseAtom(reader, flags, depth);
    if (flags.extended) reader.skipBlanks();
    nodes.push(parseQuantifiers(reader, atom));
  }
}

function parseAtom(reader: PatternReader, flags: RegexFlags, depth: number): RegexNode {
  const character = reader.next();
  switch (character) {
    case "(":
      return parseGroup(reader, flags, depth);
    case "[":
      return { kind: "character", matches: parseBracket(reader, flags.ignoreCase) };
    case ".":
      return { kind: "character", matches: (point) => flags.dotAll || point !== 0x0a };
    case "^":
      return { kind: "anchor", anchor: flags.multiline ? "lineStart" : "start" };
    case "$":
      return { kind: "anchor", anchor: flags.multiline ? "lineEnd" : "end" };
    case "\\":
      return parseEscape(reader, flags);
    case "*":
    case "+":
    case "?":
      throw new RegexError(`nothing stands before ${character}`);
    default:
      return literal(character.codePointAt(0) ?? 0, flags);
  }
}

function literal(point: number, flags: RegexFlags): RegexNode {
  return { kind: "character", matches: exactly(point, flags.ignoreCase) };
}

function parseGroup(reader: PatternReader, flags: RegexFlags, depth: number): RegexNode {
  // Groups capture nothing here: only whether the whole matches is of interest.
  if (reader.take("?") && !reader.take(":")) {
    const named = reader.takeMatch(/P?<[A-Za-z_]\w*>/y);
    if (named === undefined) {
      throw new RegexError("look-around, inline modifiers and atomic groups are not supported");
    }
  }
  const node = parseChoice(reader, flags, depth + 1);
  if (!reader.take(")")) {
    throw new RegexError("a parenthesis is not closed");
  }
  return node;
}

const ANCHORS: Readonly<Record<string, Anchor>> = {
  A: "start",
  Z: "end",
  z: "end",
  b: "boundary",
  B: "noBoundary",
};

function parseEscape(reader: PatternReader, flags: RegexFlags): RegexNode {
  const letter = reader.peek();
  const anchor = Object.hasOwn(ANCHORS, letter) ? ANCHORS[letter] : undefined;
  const matches: Matcher | undefined = escapedClass(letter);
  if (anchor !== undefined || matches !== undefined) {
    reader.next();
    return anchor === undefined
      ? { kind: "character", matches: matches ?? isWordCharacter }
      : { kind: "anchor", anchor };
  }
  if (/[1-9k]/.test(letter)) throw new RegexError("back-references are not supported");
  return literal(parseEscapedPoint(reader), flags);
}

function parseQuantifiers(reader: PatternReader, atom: RegexNode): RegexNode {
  const bounds = parseBounds(reader);
  if (bounds === undefined) return atom;
  // Lazy and possessive forms differ in what is captured, which does not matter here; a possessive one could
  // also make a match fail, and is refused.
  reader.take("?");
  if (reader.take("+")) throw new RegexError("possessive quantifiers are not supported");
  return { kind: "repeat", node: atom, ...bounds };
}

function parseBounds(reader: PatternReader): { min: number; max: number } | undefined {
  if (reader.take("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (reader.take("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (reader.take("?")) return { min: 0, max: 1 };
  const [, low, comma, high] = reader.takeMatch(/\{(\d{1,9})(,?)(\d{0,9})\}/y) ?? [];
  if (low === undefined) return undefined;
  const min = Number(low);
  const max = comma === "" ? min : high === "" ? Number.POSITIVE_INFINITY : Number(high);
  if (min > MAX_REPEAT || (Number.isFinite(max) && max > MAX_REPEAT) || max < min) {
    throw new RegexError(`a count in braces is out of order or beyond ${MAX_REPEAT}`);
  }
  return { min, max };
}
