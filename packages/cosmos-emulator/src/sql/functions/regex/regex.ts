/**
 * Regular expressions that are matched in time proportional to the length of the text: all ways through the
 * pattern are followed at once, character by character, and none is tried again. JavaScript's own would take
 * time exponential in the length for patterns such as `(a+)+$`, and a query must not stop the endpoint.
 */
import { isWordCharacter } from "./character-class.ts";
import { type Anchor, type Matcher, RegexError, type RegexFlags, type RegexNode } from "./node.ts";
import { parseRegex } from "./parse-regex.ts";

/** A step of the compiled pattern; `go` leads to one or two others without taking a character. */
type Instruction =
  | { readonly kind: "character"; readonly matches: Matcher }
  | { readonly kind: "anchor"; readonly anchor: Anchor }
  | { readonly kind: "go"; targets: readonly number[] }
  | { readonly kind: "match" };

const MAX_INSTRUCTIONS = 5000;
/** Characters times instructions: about a second. */
const MAX_WORK = 20_000_000;

export class Regex {
  readonly #program: readonly Instruction[];

  /** Throws RegexError. */
  constructor(pattern: string, flags: RegexFlags) {
    const program: Instruction[] = [];
    emit(parseRegex(pattern, flags), program);
    program.push({ kind: "match" });
    this.#program = program;
  }

  /** Whether any part of the text matches. Throws RegexError if text and pattern are too long. */
  matches(text: string): boolean {
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    if (points.length * this.#program.length > MAX_WORK) {
      throw new RegexError("text and pattern together are too long");
    }
    let states = new Set<number>();
    for (let at = 0; at <= points.length; at += 1) {
      if (this.#follow(0, points, at, states)) return true;
      const point = points[at];
      const next = new Set<number>();
      for (const state of point === undefined ? [] : states) {
        const instruction = this.#program[state];
        const taken = point !== undefined && instruction?.kind === "character" && instruction.matches(point);
        if (taken && this.#follow(state + 1, points, at + 1, next)) return true;
      }
      states = next;
    }
    return false;
  }

  /** Adds all instructions that are reached without taking a character; true if the match is one of them. */
  #follow(start: number, points: readonly number[], at: number, into: Set<number>): boolean {
    const open = [start];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      const instruction = this.#program[state];
      if (instruction === undefined || into.has(state)) continue;
      into.add(state);
      if (instruction.kind === "match") return true;
      if (instruction.kind === "go") {
        open.push(...instruction.targets);
      } else if (instruction.kind === "anchor" && isAt(instruction.anchor, points, at)) {
        open.push(state + 1);
      }
    }
    return false;
  }
}

function isAt(anchor: Anchor, points: readonly number[], at: number): boolean {
  const [before, after] = [points[at - 1], points[at]];
  const boundary =
    (before !== undefined && isWordCharacter(before)) !== (after !== undefined && isWordCharacter(after));
  switch (anchor) {
    case "start":
      return at === 0;
    case "end":
      // Perl's `$` also stands before a line end that ends the text.
      return at === points.length || (at === points.length - 1 && after === 0x0a);
    case "lineStart":
      return at === 0 || before === 0x0a;
    case "lineEnd":
      return at === points.length || after === 0x0a;
    case "boundary":
      return boundary;
    case "noBoundary":
      return !boundary;
  }
}

function emit(node: RegexNode, program: Instruction[]): void {
  if (program.length > MAX_INSTRUCTIONS) throw new RegexError("the pattern is too long");
  switch (node.kind) {
    case "character":
    case "anchor":
      program.push(node);
      return;
    case "sequence":
      for (const part of node.nodes) emit(part, program);
      return;
    case "choice":
      emitChoice(node.nodes, program);
      return;
    case "repeat":
      emitRepeat(node.node, node.min, node.max, program);
  }
}

function emitChoice(nodes: readonly RegexNode[], program: Instruction[]): void {
  const fork = reserve(program);
  const ends: Instruction[] = [];
  const starts: number[] = [];
  for (const node of nodes) {
    starts.push(program.length);
    emit(node, program);
    ends.push(reserve(program));
  }
  lead(fork, starts);
  for (const end of ends) lead(end, [program.length]);
}

function emitRepeat(node: RegexNode, min: number, max: number, program: Instruction[]): void {
  for (let count = 0; count < min; count += 1) emit(node, program);
  if (max === Number.POSITIVE_INFINITY) {
    const start = program.length;
    const fork = reserve(program);
    emit(node, program);
    lead(reserve(program), [start]);
    lead(fork, [start + 1, program.length]);
    return;
  }
  for (let count = min; count < max; count += 1) emitChoice([node, { kind: "sequence", nodes: [] }], program);
}

function reserve(program: Instruction[]): Instruction {
  const instruction: Instruction = { kind: "go", targets: [] };
  program.push(instruction);
  return instruction;
}

function lead(instruction: Instruction, targets: readonly number[]): void {
  if (instruction.kind === "go") instruction.targets = targets;
}
